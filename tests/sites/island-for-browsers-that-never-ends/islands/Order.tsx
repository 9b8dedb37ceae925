// It waits for the oven.
while (true) {}

export default function Order() {
  return <p>Bread</p>;
}
