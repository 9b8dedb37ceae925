import { Price } from "./parts/Price";

export default function Order() {
  return (
    <p>
      One loaf, please. <Price />
    </p>
  );
}
