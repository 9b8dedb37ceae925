import { use } from "react";

const weather = fetch("/weather.json").then((response) => response.json());

export default function Weather() {
  return <p>{use(weather)}</p>;
}
