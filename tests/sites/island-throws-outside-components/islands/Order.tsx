const prices: Record<string, { small: number }> = {};
const price = prices.rye.small;

export default function Order() {
  return <p>{price} euros, please.</p>;
}
