export default function Order({ loaf }: { loaf: string }) {
  return (
    <p title={loaf}>
      One {loaf}, please.
    </p>
  );
}
