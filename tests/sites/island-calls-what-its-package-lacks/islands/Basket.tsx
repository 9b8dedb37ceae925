const basket: any = { loaves: 1 };

export default function Basket() {
  return <p>{basket.total()} loaves</p>;
}
