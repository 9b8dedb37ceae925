interface Props {
  loaf: { name: string };
}

export default function Order({ loaf }: Props) {
  return <p>One {loaf.name.toLowerCase()}, please.</p>;
}
