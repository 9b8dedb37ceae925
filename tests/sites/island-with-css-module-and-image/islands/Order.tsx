import loaf from "./parts/loaf.svg";
import styles, { price } from "./parts/order.module.css";

export default function Order() {
  return (
    <p className={styles.order}>
      <img src={loaf} alt="A loaf" width="10" height="10" />
      <span className={price}>4.80</span>
    </p>
  );
}
