import rates from "https://cdn.example/rates.js";
import names from "../package.json";

export default function Order() {
  return <p>{rates.price} euros, {names.name}.</p>;
}
