export default function Route({ stops }: { stops: string[] }) {
  return <p>{stops.join(" – ")}</p>;
}
