interface Props {
  loaf: string;
}

export default function Order({ loaf }: Props) {
  return <p>One {loaf}, please.</p>;
}
