export default function Clock() {
  return <time>{hourNow()}</time>;
}

function hourNow() {
  return format(new Date());
}
