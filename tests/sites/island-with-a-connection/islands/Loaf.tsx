interface Props {
  connect: Record<string, string>;
}

export default function Loaf({ connect }: Props) {
  return <p>{Object.entries(connect).map(([name, address]) => `${name}=${address}`).join(", ")}</p>;
}
