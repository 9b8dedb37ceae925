import rates from "https://cdn.example/rates.js";

export default function Order() {
  return <p>{rates.price} euros.</p>;
}
