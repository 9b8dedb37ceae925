import css from "./card.module.css";

export default function Card({ label }: { label: string }) {
  return (
    <p className={css.card} style={{ borderLeftColor: "red", top: 0 }}>
      <b style={{ textAlign: "right", marginLeft: 2, marginRight: 2 }}>{label}</b>
    </p>
  );
}
