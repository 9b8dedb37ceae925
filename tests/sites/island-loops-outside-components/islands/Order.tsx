let loaves = 0;
while (loaves >= 0) loaves = 0;

export default function Order() {
  return <p>{loaves} loaves, please.</p>;
}
