import { BarElement, CategoryScale, Chart, LinearScale } from "chart.js";
import { useState } from "react";
import { Bar } from "react-chartjs-2";

Chart.register(BarElement, CategoryScale, LinearScale);

export default function ChartJs() {
  const [sold, setSold] = useState([1, 2]);
  return (
    <>
      <Bar data={{ labels: ["Rye", "Spelt"], datasets: [{ data: sold }] }} options={{ animation: false }} />
      <button type="button" data-act onClick={() => setSold([3, 4])}>
        More
      </button>
      {sold[0] === 3 && <p data-done>more</p>}
    </>
  );
}
