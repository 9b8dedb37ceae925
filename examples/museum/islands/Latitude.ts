// The height of the Pole Star is the latitude: a slider raises the star, and a sentence names the harbour below it. All texts
// are props, so it speaks the language of its page. Without JavaScript the drawing and the table remain.
interface Texts {
  label: string;
  reading: string;
  between: string;
  north: string;
  south: string;
  one_degree: string;
  two_degrees: string;
  degrees: string;
  drawing: string;
  table: string;
  harbour: string;
  height: string;
  places: Record<string, string>;
}

interface LatitudeProps {
  texts: Texts;
  harbours: { name: string; degrees: number }[];
}

const START = 31;
const MOST = 72;
// The pilot's eye, and how far away the scale is drawn.
const EYE = { x: 96, y: 292 };
const RADIUS = 248;

const at = (degrees: number, radius: number) => ({
  x: round(EYE.x + radius * Math.cos((degrees * Math.PI) / 180)),
  y: round(EYE.y - radius * Math.sin((degrees * Math.PI) / 180)),
});

const round = (number: number) => Math.round(number * 10) / 10;

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (each) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[each]!);

/** The sector between the horizon and the star. */
function sector(degrees: number): string {
  const start = at(0, 84);
  const end = at(degrees, 84);
  return `M${EYE.x} ${EYE.y}L${start.x} ${start.y}A84 84 0 0 0 ${end.x} ${end.y}z`;
}

function sight(degrees: number): string {
  const star = at(degrees, RADIUS);
  return `M${EYE.x} ${EYE.y}L${star.x} ${star.y}`;
}

const place = (degrees: number) => `translate(${at(degrees, RADIUS).x} ${at(degrees, RADIUS).y})`;

/** What a height means, as a sentence. */
function reading({ texts, harbours }: LatitudeProps, degrees: number): string {
  const nearest = harbours.reduce((best, each) =>
    Math.abs(each.degrees - degrees) < Math.abs(best.degrees - degrees) ? each : best,
  );
  const away = Math.abs(nearest.degrees - degrees);
  const values: Record<string, string> = {
    degrees: `${degrees}°`,
    place: texts.places[nearest.name]!,
    away:
      away === 1 ? texts.one_degree : away === 2 ? texts.two_degrees : texts.degrees.replace("{count}", String(away)),
    side: nearest.degrees > degrees ? texts.north : texts.south,
  };
  return (away === 0 ? texts.reading : texts.between).replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
}

export function render(props: LatitudeProps): string {
  const { texts, harbours } = props;
  const numbers = [0, 15, 30, 45, 60, 75, 90];
  const ticks = Array.from({ length: 91 }, (_, degrees) => {
    const outer = at(degrees, RADIUS);
    const inner = at(degrees, RADIUS - (degrees % 15 === 0 ? 16 : degrees % 5 === 0 ? 10 : 5));
    return `M${outer.x} ${outer.y}L${inner.x} ${inner.y}`;
  }).join("");
  const end = at(90, RADIUS);
  const scale = `M${EYE.x + RADIUS} ${EYE.y}A${RADIUS} ${RADIUS} 0 0 0 ${end.x} ${end.y}`;
  const labels = numbers.map((degrees) => {
    const { x, y } = at(degrees, RADIUS - 30);
    return `<text x="${x}" y="${y + 4}">${degrees}°</text>`;
  });
  const rows = harbours.map(
    ({ name, degrees }) => `<tr><th scope="row">${escape(texts.places[name]!)}</th><td>${degrees}°</td></tr>`,
  );
  return `<div class="latitude">
<div class="latitude__view">
<svg class="latitude__drawing" viewBox="0 0 400 340" role="img" aria-label="${escape(texts.drawing)}">
<path class="latitude__sea" d="M0 292h400v48H0z"/>
<path class="latitude__scale" d="${scale}${ticks}"/>
<path class="latitude__sector" d="${sector(START)}"/>
<path class="latitude__sight" d="${sight(START)}"/>
<path class="latitude__ship" d="M20 292c8 16 22 24 40 24h64c18 0 30-8 40-26-18 6-44 8-72 8s-54-2-72-6zM70 292V150M70 158c34 26 48 66 46 116-18 6-32 8-46 8z"/>
<g class="latitude__numbers" direction="ltr">${labels.join("")}</g>
<path class="latitude__star" transform="${place(START)}" d="M0-13 3-3 13 0 3 3 0 13-3 3-13 0-3-3z"/>
</svg>
<div class="latitude__control" hidden>
<label>${escape(texts.label)} <input type="range" min="0" max="${MOST}" value="${START}" step="1"></label>
</div>
<output class="latitude__reading">${escape(reading(props, START))}</output>
</div>
<table class="latitude__table"><caption>${escape(texts.table)}</caption><thead><tr><th scope="col">${escape(texts.harbour)}</th><th scope="col">${escape(texts.height)}</th></tr></thead><tbody>${rows.join("")}</tbody></table>
</div>`;
}

export function mount(element: HTMLElement, props: LatitudeProps): void {
  const find = <T extends Element>(name: string) => element.querySelector<T>(name)!;
  const range = find<HTMLInputElement>("input");
  const show = () => {
    const degrees = range.valueAsNumber;
    find(".latitude__sector").setAttribute("d", sector(degrees));
    find(".latitude__sight").setAttribute("d", sight(degrees));
    find(".latitude__star").setAttribute("transform", place(degrees));
    const sentence = reading(props, degrees);
    find("output").textContent = sentence;
    range.setAttribute("aria-valuetext", sentence);
    const rows = element.querySelectorAll("tbody tr");
    props.harbours.forEach((harbour, number) => {
      if (harbour.degrees === degrees) rows[number]!.setAttribute("aria-current", "true");
      else rows[number]!.removeAttribute("aria-current");
    });
  };
  range.addEventListener("input", show);
  find<HTMLElement>(".latitude__control").hidden = false;
  show();
}
