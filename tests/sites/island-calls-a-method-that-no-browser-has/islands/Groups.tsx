const groups = ["rye", "salt"].groupedBy((name) => name[0]);

export default function Groups() {
  return <p>{groups.length}</p>;
}
