const points: number[] = [];
for (let point = 0; point < 1e9; point++) if (point % 1e8 === 0) points.push(Math.sqrt(point));

export default function Fractal() {
  return <p>{points.length} points</p>;
}
