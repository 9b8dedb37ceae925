export default function Order() {
  let crumbs = 0;
  while (true) crumbs += 1;
  return <p>{crumbs}</p>;
}
