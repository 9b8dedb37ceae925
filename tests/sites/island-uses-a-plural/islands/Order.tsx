const words: Record<string, { name: string }> = { one: { name: "loaf" }, other: { name: "loaves" } };

export default function Order() {
  return <p>{words[new Intl.PluralRules("en").select(3)].name}</p>;
}
