const today = new Date(0).toTemporalInstant().toZonedDateTimeISO("UTC");

export default function Groups() {
  return <p>{today.toPlainDate().toString()}</p>;
}
