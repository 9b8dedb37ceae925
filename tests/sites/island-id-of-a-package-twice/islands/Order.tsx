let count = 0;

export default function Order() {
  return <p id={`order-${++count}`}>Order</p>;
}
