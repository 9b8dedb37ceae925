const words = new Intl.Segmenter("en", { granularity: "word" });

export default function Words() {
  return <p>{[...words.segment("rye and salt")].length} words</p>;
}
