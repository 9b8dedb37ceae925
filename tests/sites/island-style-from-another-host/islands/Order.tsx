import styles from "./order.module.css";

export default function Order() {
  return <p className={styles.order}>Order</p>;
}
