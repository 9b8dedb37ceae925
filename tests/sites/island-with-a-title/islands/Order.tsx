export default function Order() {
  return (
    <>
      <title>Your order</title>
      <meta name="description" content="Bread by post" />
      <link rel="canonical" href="https://www.hollowoven.test/" />
      <p>Bread</p>
    </>
  );
}
