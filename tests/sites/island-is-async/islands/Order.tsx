export default async function Order() {
  const price = await Promise.resolve(4.8);
  return <p>{price} euros</p>;
}
