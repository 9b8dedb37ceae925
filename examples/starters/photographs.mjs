// Renders the photographs of the starter `portfolio`: every one is computed here, none was taken by a camera.
//
//     CHROMIUM=/usr/bin/chromium node examples/starters/photographs.mjs [NAME…]
//
// Each scene is a function of a canvas. The same program renders the same scene, because all random numbers come from a
// seed; a JPEG differs a little between versions of Chromium.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";

const folder = join(import.meta.dirname, "portfolio/content/assets/photos");

/** What the scenes share; it runs in the page. */
function studio() {
  const hash = (x, y) => {
    let h = Math.imul(x | 0, 374761393) ^ Math.imul(y | 0, 668265263);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  };
  const mix = (a, b, t) => a + (b - a) * t;
  const clamp = (x, low = 0, high = 1) => Math.min(high, Math.max(low, x));
  const step = (a, b, x) => {
    const t = clamp((x - a) / (b - a));
    return t * t * (3 - 2 * t);
  };
  const noise = (x, y) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [x - i, y - j];
    const [s, t] = [u * u * (3 - 2 * u), v * v * (3 - 2 * v)];
    return mix(mix(hash(i, j), hash(i + 1, j), s), mix(hash(i, j + 1), hash(i + 1, j + 1), s), t);
  };
  const fbm = (x, y, octaves = 5) => {
    let [sum, size, total] = [0, 0.5, 0];
    for (let octave = 0; octave < octaves; octave++) {
      sum += size * noise(x, y);
      total += size;
      size *= 0.5;
      [x, y] = [x * 1.6 + y * 1.2 + 17.3, y * 1.6 - x * 1.2 + 4.1];
    }
    return sum / total;
  };
  const blend = (a, b, t) => [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
  /** The colour at a place between 0 and 1 of a list of places and colours. */
  const ramp = (stops, at) => {
    for (let each = 1; each < stops.length; each++)
      if (at <= stops[each][0])
        return blend(stops[each - 1][1], stops[each][1], step(0, 1, (at - stops[each - 1][0]) / (stops[each][0] - stops[each - 1][0])));
    return stops.at(-1)[1];
  };
  const random = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const css = ([r, g, b], alpha = 1) => `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)} / ${alpha})`;
  const canvas = (width, height) => {
    const element = Object.assign(document.createElement("canvas"), { width, height });
    return [element, element.getContext("2d", { willReadFrequently: true })];
  };
  /** Sets every pixel to what `shade` returns for it. */
  const pixels = (context, shade) => {
    const { width, height } = context.canvas;
    const image = context.getImageData(0, 0, width, height);
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at += 4) {
        const old = [image.data[at], image.data[at + 1], image.data[at + 2]];
        const [r, g, b] = shade(x / width, y / height, old, x, y);
        [image.data[at], image.data[at + 1], image.data[at + 2], image.data[at + 3]] = [r, g, b, 255];
      }
    context.putImageData(image, 0, 0);
  };
  /** What a lens and a film add: darker corners and a little grain. */
  const develop = (context, { vignette = 0.35, grain = 3 } = {}) => {
    const { width, height } = context.canvas;
    pixels(context, (u, v, old, x, y) => {
      const away = ((u - 0.5) ** 2 + ((v - 0.5) * (height / width)) ** 2) * 2.4;
      const light = 1 - vignette * step(0.1, 1, away);
      const speck = (hash(x * 7 + 3, y * 13 + 5) + hash(x + 91, y * 3 + 17) - 1) * grain;
      return old.map((each) => each * light + speck);
    });
  };
  /**
   * Renders a landscape from its height, column by column from the front to the back. `shade` returns the colour of a place;
   * what lies behind a nearer place is not drawn.
   */
  const landscape = (context, { height: heightOf, shade, eye, horizon, near, far, spread, steps, scale }) => {
    const { width, height } = context.canvas;
    const image = context.getImageData(0, 0, width, height);
    for (let column = 0; column < width; column++) {
      const across = (column / width - 0.5) * spread;
      let lowest = height;
      let last = null;
      for (let each = 0; each < steps && lowest > 0; each++) {
        const z = near * (far / near) ** (each / steps);
        const x = across * z;
        const top = horizon * height + ((eye - heightOf(x, z)) / z) * scale * height;
        if (top >= lowest) {
          last = null;
          continue;
        }
        const colour = shade(x, z, z * (far / near) ** (1 / steps) - z);
        for (let y = Math.max(0, Math.ceil(top)); y < lowest; y++) {
          const at = (y * width + column) * 4;
          const t = last ? clamp((lowest - y) / Math.max(1, lowest - top)) : 1;
          for (let part = 0; part < 3; part++) image.data[at + part] = last ? mix(last[part], colour[part], t) : colour[part];
        }
        lowest = Math.max(0, Math.ceil(top));
        last = colour;
      }
    }
    context.putImageData(image, 0, 0);
  };
  return { hash, mix, clamp, step, noise, fbm, blend, ramp, random, css, canvas, pixels, develop, landscape };
}

const scenes = {
  /** Ridges one behind the other, in the mist of a morning. */
  ridges: [1600, 1067, ({ fbm, mix, step, ramp, blend, pixels, develop, noise, clamp }, context) => {
    const sky = [[0, [96, 128, 168]], [0.22, [176, 180, 196]], [0.42, [248, 208, 178]], [0.5, [255, 224, 190]], [1, [255, 224, 190]]];
    const layers = 8;
    const ridge = (layer, u) => {
      const t = layer / (layers - 1);
      const frequency = mix(2.2, 3.4, t);
      const jagged = 1 - Math.abs(2 * fbm(u * frequency + layer * 31.7, layer * 7.3, 6) - 1);
      const trees = layer > 4 ? (noise(u * 420 + layer * 9, 3) + noise(u * 900, layer)) * 0.008 * (t - 0.5) * 2 : 0;
      return 0.36 + t * t * 0.42 + t * 0.1 - (jagged - 0.55) * mix(0.2, 0.26, t) - trees;
    };
    const width = context.canvas.width;
    const tops = Array.from({ length: layers }, (_, layer) => Array.from({ length: width }, (_, x) => ridge(layer, x / width)));
    pixels(context, (u, v, _, x) => {
      let colour = ramp(sky, v);
      const sun = Math.hypot((u - 0.68) * 1.5, v - 0.33);
      colour = blend(colour, [255, 246, 222], 0.9 * Math.exp(-sun * sun * 26) + (sun < 0.03 ? 0.6 : 0));
      for (let layer = 0; layer < layers; layer++) {
        const top = tops[layer][x];
        if (v < top) continue;
        const t = layer / (layers - 1);
        const dark = blend([206, 176, 164], [22, 38, 46], Math.min(1, t * 1.02) ** 0.8);
        const mist = blend([255, 224, 192], [150, 160, 168], t);
        const fog = step(0, 0.2, v - top) * (1 - t * 0.75) * (0.7 + 0.5 * fbm(u * 5 + layer, v * 9, 3));
        colour = blend(dark, mist, clamp(fog));
        colour = blend(colour, [255, 214, 170], 0.28 * (1 - t) * Math.exp(-(((u - 0.68) * 2.4) ** 2)));
      }
      return colour;
    });
    develop(context, { vignette: 0.4 });
  }],

  /** Dunes under a low sun. */
  dunes: [1600, 1067, ({ fbm, noise, mix, step, ramp, blend, pixels, develop, landscape, clamp }, context) => {
    pixels(context, (u, v) => ramp([[0, [92, 132, 176]], [0.3, [196, 204, 208]], [0.42, [244, 214, 184]], [1, [244, 214, 184]]], v + u * 0.04));
    const height = (x, z) => {
      const bend = fbm(x * 0.16 + 3, z * 0.09, 3) * 7;
      const wave = (at) => {
        const part = at - Math.floor(at);
        return part < 0.72 ? (part / 0.72) ** 1.6 : ((1 - part) / 0.28) ** 1.2;
      };
      const large = wave(x * 0.07 + z * 0.055 + bend * 0.3) * (0.5 + fbm(x * 0.06, z * 0.05 + 9, 2) * 1.3);
      const small = wave(x * 0.19 - z * 0.13 + bend * 0.55 + 0.4) * 0.24 * fbm(x * 0.12 + 40, z * 0.12, 2);
      return large * 1.9 + small * 1.4;
    };
    const sun = [-0.86, 0.3, 0.42];
    const shade = (x, z, distance) => {
      const e = Math.max(0.012, distance * 0.5);
      const h = height(x, z);
      const ripple = z < 26 ? Math.sin((x * 3.1 + z * 9 + fbm(x * 1.2, z * 1.2, 3) * 9) * 2.6) * 0.05 * (1 - z / 26) : 0;
      const n = [-(height(x + e, z) - h) / e + ripple * 0.8, 1, -(height(x, z + e) - h) / e + ripple];
      const length = Math.hypot(...n);
      let light = clamp((n[0] * sun[0] + n[1] * sun[1] + n[2] * sun[2]) / length);
      let shadow = 1;
      for (let t = 0.15; t < 9; t *= 1.28) {
        const above = h + (sun[1] / 0.957) * t - height(x + (sun[0] / 0.957) * t, z + (sun[2] / 0.957) * t);
        shadow = Math.min(shadow, 0.5 + above * 6 / t);
        if (shadow < 0) break;
      }
      light *= step(0, 1, shadow);
      const sand = blend([70, 44, 52], [250, 184, 116], clamp(light * 1.55));
      const warm = blend(sand, [255, 226, 174], clamp(light * 1.5 - 0.62));
      const grainy = 1 + (noise(x * 60, z * 60) - 0.5) * 0.05;
      return blend(warm.map((each) => each * grainy), [240, 208, 182], step(14, 90, z) * 0.86);
    };
    landscape(context, { height, shade, eye: 3.3, horizon: 0.33, near: 1.5, far: 120, spread: 1.15, steps: 2200, scale: 0.82 });
    develop(context, { vignette: 0.35 });
  }],

  /** Conifers in fog. */
  forest: [1067, 1600, ({ random, css, blend, fbm, clamp, canvas, pixels, develop }, context) => {
    const { width, height } = context.canvas;
    pixels(context, (u, v) => blend([214, 222, 220], [168, 184, 184], clamp(v * 0.9 + (fbm(u * 2, v * 3, 4) - 0.5) * 0.35)));
    const next = random(11);
    const rows = 7;
    for (let row = 0; row < rows; row++) {
      const t = row / (rows - 1);
      const colour = blend([176, 190, 188], [14, 30, 32], t ** 0.9);
      const [layer, brush] = canvas(width, height);
      const count = Math.round(22 - t * 13);
      for (let each = 0; each < count; each++) {
        const x = ((each + 0.5 + (next() - 0.5) * 0.9) / count) * (width * 1.16) - width * 0.08;
        const foot = height * (0.66 + t * 0.42) + next() * 40;
        const tall = height * (0.3 + t * 0.52) * (0.62 + next() * 0.5);
        brush.fillStyle = css(colour);
        brush.strokeStyle = css(colour);
        brush.beginPath();
        brush.moveTo(x, foot - tall * 1.02);
        brush.lineTo(x + tall * 0.009, foot + 400);
        brush.lineTo(x - tall * 0.009, foot + 400);
        brush.fill();
        const branches = Math.round(54 + t * 46);
        for (let branch = 0; branch < branches; branch++) {
          const at = branch / branches;
          const y = foot - tall + tall * at * at ** 0.12 * 0.92;
          const reach = tall * 0.19 * (at * 0.95 + 0.012) * (0.62 + next() * 0.62);
          for (const side of [-1, 1]) {
            const end = reach * (0.7 + next() * 0.5);
            brush.lineWidth = Math.max(1, tall * 0.0035 * (0.7 + at));
            brush.beginPath();
            brush.moveTo(x, y);
            brush.quadraticCurveTo(x + side * end * 0.5, y + end * 0.08, x + side * end, y + end * (0.42 + next() * 0.2));
            brush.stroke();
            for (let needle = 0; needle < 5; needle++) {
              const along = 0.25 + needle * 0.16;
              brush.beginPath();
              brush.moveTo(x + side * end * along, y + end * along * 0.3);
              brush.lineTo(x + side * end * (along + 0.1), y + end * (along * 0.42 + 0.24));
              brush.stroke();
            }
          }
        }
      }
      context.filter = `blur(${((1 - t) * 2.2).toFixed(2)}px)`;
      context.drawImage(layer, 0, 0);
      context.filter = "none";
      // Fog rises from the ground between this row and the next.
      const fog = context.createLinearGradient(0, height * (0.3 + t * 0.24), 0, height);
      fog.addColorStop(0, css([206, 216, 214], 0));
      fog.addColorStop(1, css([206, 216, 214], 0.78 * (1 - t * 0.95)));
      context.fillStyle = fog;
      context.fillRect(0, 0, width, height);
    }
    pixels(context, (u, v, old) => {
      const drift = clamp(fbm(u * 3 + 5, v * 7, 5) * 1.7 - 0.75) * 0.6 * (1 - Math.abs(v - 0.55) * 1.5);
      return blend(old, [214, 222, 220], clamp(drift));
    });
    develop(context, { vignette: 0.3 });
  }],

  /** Northern lights over a lake. */
  aurora: [1600, 1067, ({ fbm, noise, hash, mix, step, ramp, blend, pixels, develop, clamp, canvas }, context) => {
    const shore = (u) => 0.63 - fbm(u * 3.2 + 5, 2, 6) * 0.13 - (1 - Math.abs(2 * fbm(u * 1.7 + 40, 9, 5) - 1)) * 0.06 + 0.08;
    const curtains = [[0.46, 0.12, 1.7, 3, 1], [0.38, 0.16, 1.3, 17, 0.75], [0.52, 0.07, 2.3, 29, 0.6]];
    const sky = (u, v) => {
      let colour = ramp([[0, [6, 12, 34]], [0.45, [12, 34, 56]], [0.62, [26, 62, 70]], [1, [26, 62, 70]]], v);
      for (const [base, swing, frequency, seed, strength] of curtains) {
        const at = u + (fbm(u * 2 + seed, v * 1.2, 3) - 0.5) * 0.24;
        const foot = base + (fbm(at * frequency + seed, 1, 3) - 0.5) * swing * 3.2;
        const above = foot - v;
        const rays = 0.35 + 0.65 * noise(at * 46 + seed, 2) * noise(at * 15 + seed, 7) * 2.2;
        const light = above > 0 ? Math.exp(-above * 6.5) * (0.5 + 0.5 * step(0, 0.03, above)) : Math.exp(above * 46) * 0.5;
        const power = light * rays * strength * (0.5 + fbm(at * 2.2 + seed * 3, 5, 2));
        const tint = blend([70, 255, 160], [150, 70, 220], step(0.1, 0.42, above));
        colour = colour.map((each, part) => each + tint[part] * power * 0.86);
      }
      return colour;
    };
    const star = (x, y) => {
      const [i, j] = [Math.floor(x / 9), Math.floor(y / 9)];
      if (hash(i, j) < 0.955) return 0;
      const [cx, cy] = [i * 9 + 2 + hash(i, j + 7) * 5, j * 9 + 2 + hash(i + 7, j) * 5];
      return Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) * 1.3) * (60 + 190 * hash(i + 3, j + 3) ** 3);
    };
    pixels(context, (u, v, _, x, y) => {
      const line = 0.66;
      const top = shore(u);
      if (v < top) return sky(u, v).map((each) => each + star(x, y));
      if (v < line) return blend([8, 16, 22], [16, 40, 44], step(top, line, v) * 0.8);
      // The lake mirrors what is above, drawn out by its waves.
      const depth = v - line;
      const wave = (fbm(u * 26, depth * 260 / (0.2 + depth * 3), 3) - 0.5) * (0.012 + depth * 0.16);
      const from = clamp(line - depth * 0.94 + wave, 0.01, 1);
      const across = u + wave * 0.22;
      const mirrored = from > shore(across) ? [9, 20, 26] : sky(across, from);
      return mirrored.map((each) => each * mix(0.78, 0.4, depth / 0.34));
    });
    develop(context, { vignette: 0.35, grain: 4 });
  }],

  /** An hour of stars around the pole, over a hill with a tree. */
  trails: [1067, 1600, ({ random, css, blend, ramp, fbm, pixels, develop, clamp }, context) => {
    const { width, height } = context.canvas;
    pixels(context, (u, v) => ramp([[0, [8, 14, 38]], [0.55, [22, 40, 84]], [0.82, [92, 84, 116]], [1, [176, 122, 104]]], v));
    const next = random(5);
    const [cx, cy] = [width * 0.58, height * 0.4];
    context.globalCompositeOperation = "lighter";
    context.lineCap = "round";
    for (let star = 0; star < 1100; star++) {
      const radius = 8 + Math.sqrt(next()) * height * 0.95;
      const start = next() * Math.PI * 2;
      const bright = next() ** 2.4;
      const tint = blend([166, 196, 255], [255, 216, 170], next());
      context.strokeStyle = css(tint, 0.14 + bright * 0.7);
      context.lineWidth = 0.8 + bright * 1.5;
      context.beginPath();
      context.arc(cx, cy, radius, start, start + 0.42);
      context.stroke();
    }
    context.globalCompositeOperation = "source-over";
    const hill = (x) => height * (0.86 - 0.09 * Math.exp(-(((x / width - 0.3) * 2.6) ** 2))) + fbm(x / 90, 4, 4) * 22;
    context.fillStyle = css([7, 10, 18]);
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 2) context.lineTo(x, hill(x) - (fbm(x / 3, 8, 2) * 9));
    context.lineTo(width, height);
    context.fill();
    context.strokeStyle = css([7, 10, 18]);
    const grow = (x, y, angle, length, thick) => {
      const [ex, ey] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length];
      context.lineWidth = thick;
      context.beginPath();
      context.moveTo(x, y);
      context.quadraticCurveTo(x + Math.cos(angle + 0.2) * length * 0.5, y + Math.sin(angle + 0.2) * length * 0.5, ex, ey);
      context.stroke();
      if (length < 7) return;
      const count = next() < 0.35 ? 3 : 2;
      for (let each = 0; each < count; each++)
        grow(ex, ey, angle + (each - (count - 1) / 2) * (0.5 + next() * 0.35) + (next() - 0.5) * 0.3, length * (0.7 + next() * 0.14), thick * 0.69);
    };
    grow(width * 0.3, hill(width * 0.3) + 14, -Math.PI / 2 - 0.06, 92, 22);
    develop(context, { vignette: 0.3, grain: 4 });
  }],

  /** Lights of a street in the rain, out of focus. */
  rain: [1600, 1067, ({ random, css, blend, ramp, pixels, develop, canvas }, context) => {
    const { width, height } = context.canvas;
    pixels(context, (u, v) => ramp([[0, [10, 12, 26]], [0.5, [34, 26, 46]], [0.62, [44, 30, 44]], [1, [12, 12, 22]]], v));
    const next = random(23);
    const tints = [[255, 170, 84], [255, 208, 140], [255, 108, 76], [120, 190, 255], [255, 236, 206], [92, 226, 190]];
    const [lights, brush] = canvas(width, height);
    brush.globalCompositeOperation = "lighter";
    for (let each = 0; each < 150; each++) {
      const near = next() ** 2;
      const radius = 14 + near * 74;
      const lane = next();
      const x = width * (0.5 + (lane - 0.5) * (0.3 + near * 1.3));
      const y = height * (0.56 - next() * (0.08 + near * 0.62));
      const tint = tints[Math.floor(next() ** 1.4 * tints.length)];
      const alpha = 0.34 - near * 0.22;
      const disc = brush.createRadialGradient(x, y, 0, x, y, radius);
      disc.addColorStop(0, css(tint, alpha * 0.72));
      disc.addColorStop(0.86, css(tint, alpha * 0.9));
      disc.addColorStop(0.93, css(tint, alpha * 1.25));
      disc.addColorStop(1, css(tint, 0));
      brush.fillStyle = disc;
      brush.fillRect(x - radius, y - radius, radius * 2, radius * 2);
    }
    context.globalCompositeOperation = "lighter";
    context.drawImage(lights, 0, 0);
    // The wet street repeats the lights upside down, drawn out and blurred.
    context.save();
    context.translate(0, height * 1.16);
    context.scale(1, -1.05);
    context.globalAlpha = 0.62;
    context.filter = "blur(9px)";
    for (const shift of [-14, -4, 6, 15]) {
      context.globalAlpha = 0.22;
      context.drawImage(lights, 0, shift * 3, width, height);
    }
    context.restore();
    context.globalCompositeOperation = "source-over";
    // Drops on the glass, each a small lens.
    for (let drop = 0; drop < 420; drop++) {
      const [x, y, radius] = [next() * width, next() * height, 1.5 + next() ** 3 * 11];
      const here = context.getImageData(Math.round(x), Math.round(height - y * 0.9) - 1, 1, 1).data;
      const glass = context.createRadialGradient(x - radius * 0.2, y + radius * 0.35, 0, x, y, radius);
      glass.addColorStop(0, css(blend([here[0], here[1], here[2]], [255, 236, 214], 0.5), 0.75));
      glass.addColorStop(0.6, css([here[0], here[1], here[2]], 0.4));
      glass.addColorStop(1, css([6, 6, 14], 0.45));
      context.fillStyle = glass;
      context.beginPath();
      context.ellipse(x, y, radius * (0.86 + next() * 0.2), radius, 0, 0, 7);
      context.fill();
    }
    develop(context, { vignette: 0.5, grain: 5 });
  }],

  /** The sea after sunset. */
  sea: [1600, 1067, ({ fbm, noise, mix, step, ramp, blend, pixels, develop, landscape, clamp }, context) => {
    const tones = [[0, [46, 72, 118]], [0.26, [132, 128, 160]], [0.42, [236, 160, 128]], [0.5, [255, 196, 128]], [1, [255, 196, 128]]];
    const cloud = (u, v) => step(0.5, 0.78, fbm(u * 3 + 2, v * 11 + 5, 6)) * step(0.5, 0.2, v);
    pixels(context, (u, v) => {
      const base = ramp(tones, v);
      const glow = Math.exp(-(((u - 0.42) * 3) ** 2) - ((v - 0.47) * 7) ** 2);
      const lit = blend(base, [255, 226, 160], glow * 0.8);
      return blend(lit, blend([88, 82, 116], [255, 168, 128], step(0.18, 0.44, v)), cloud(u, v) * 0.75);
    });
    const height = (x, z) => {
      const swell = Math.sin(z * 0.55 + x * 0.12 + fbm(x * 0.2, z * 0.2, 2) * 5) * 0.09;
      const chop = (1 - Math.abs(2 * fbm(x * 0.9 + 5, z * 0.6, 4) - 1)) * 0.19;
      return swell + chop;
    };
    const shade = (x, z, distance) => {
      const e = Math.max(0.02, distance * 0.7);
      const h = height(x, z);
      const calm = 1 / (1 + z * 0.045);
      const dx = ((height(x + e, z) - h) / e) * calm;
      const dz = ((height(x, z + e) - h) / e) * calm;
      const look = Math.hypot(x, 1.5, z);
      const facing = clamp((1.5 / look + dz * 0.75 + 0.02) * 1.1, 0, 1);
      const fresnel = 0.06 + 0.94 * (1 - facing) ** 4;
      const up = clamp(0.5 - Math.abs(dz) * 0.42 - facing * 0.34, 0, 0.5);
      const mirrored = ramp(tones, up);
      const u = x / z / 1.2 + 0.5 + dx * 0.5;
      const sun = Math.exp(-(((u - 0.42) * 4.2) ** 2)) * clamp(1 - Math.abs(dz + 0.12) * 2.6) ** 2;
      const water = blend([14, 34, 52], mirrored, fresnel * 0.86);
      const lit = blend(water, [255, 214, 150], clamp(sun * 0.62 * fresnel * 1.5));
      return blend(lit, [246, 180, 132], step(60, 420, z) * 0.7);
    };
    landscape(context, { height, shade, eye: 1.5, horizon: 0.485, near: 1.6, far: 700, spread: 1.2, steps: 3200, scale: 0.8 });
    develop(context, { vignette: 0.35 });
  }],

  /** A tree on a small island, and its reflection. */
  island: [1600, 1067, ({ random, css, blend, fbm, clamp, step, canvas, pixels, develop }, context) => {
    const { width, height } = context.canvas;
    const line = height * 0.62;
    const [upper, brush] = canvas(width, height);
    pixels(brush, (u, v) => blend([150, 176, 190], [236, 226, 212], clamp(v * 1.55 + (fbm(u * 2.2, v * 5, 4) - 0.5) * 0.18)));
    // The far shore, hardly there.
    brush.fillStyle = css([176, 184, 184], 0.85);
    brush.filter = "blur(3px)";
    brush.beginPath();
    brush.moveTo(0, line);
    for (let x = 0; x <= width; x += 3) brush.lineTo(x, line - 26 - fbm(x / 170, 3, 5) * 62 - Math.max(0, x / width - 0.55) * 120);
    brush.lineTo(width, line);
    brush.fill();
    brush.filter = "none";
    const next = random(41);
    const dark = [30, 40, 44];
    const cx = width * 0.36;
    brush.fillStyle = brush.strokeStyle = css(dark);
    brush.lineCap = "round";
    brush.beginPath();
    brush.moveTo(cx - 190, line + 1);
    for (let x = -190; x <= 210; x += 2) brush.lineTo(cx + x, line - 30 * Math.exp(-((x / 96) ** 2)) * (0.75 + fbm(x / 14, 2, 4) * 0.5) - (fbm(x / 4, 6, 2) * 4));
    brush.lineTo(cx + 210, line + 1);
    brush.fill();
    const leaves = [];
    const grow = (x, y, angle, length, thick) => {
      const [ex, ey] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length];
      brush.lineWidth = Math.max(0.8, thick);
      brush.beginPath();
      brush.moveTo(x, y);
      brush.quadraticCurveTo(x + Math.cos(angle - 0.24) * length * 0.5, y + Math.sin(angle - 0.24) * length * 0.5, ex, ey);
      brush.stroke();
      if (length < 26) leaves.push([ex, ey]);
      if (length < 8) return;
      const count = next() < 0.4 ? 3 : 2;
      for (let each = 0; each < count; each++)
        grow(ex, ey, angle + (each - (count - 1) / 2) * (0.62 + next() * 0.3) + (next() - 0.5) * 0.34, length * (0.72 + next() * 0.12), thick * 0.66);
    };
    grow(cx + 4, line - 26, -Math.PI / 2 + 0.05, 92, 21);
    for (const [x, y] of leaves)
      for (let leaf = 0; leaf < 3; leaf++) {
        brush.fillStyle = css(blend(dark, [134, 92, 56], next() * 0.8), 0.5);
        brush.beginPath();
        brush.ellipse(x + (next() - 0.5) * 20, y + (next() - 0.5) * 18, 2.2 + next() * 2.6, 1.6 + next() * 1.6, next() * 3, 0, 7);
        brush.fill();
      }
    context.drawImage(upper, 0, 0);
    const above = brush.getImageData(0, 0, width, height).data;
    pixels(context, (u, v, old, x, y) => {
      if (y < line) return old;
      const depth = y - line;
      const wave = (fbm(u * 7, depth / (5 + depth * 0.07), 3) - 0.5) * (3 + depth * 0.1);
      const from = clamp(Math.round(line - depth * 1.02 + wave), 0, height - 1);
      const across = clamp(Math.round(x + wave * 0.8), 0, width - 1);
      const at = (from * width + across) * 4;
      return blend([above[at], above[at + 1], above[at + 2]], [150, 172, 184], 0.16 + 0.4 * step(0, height - line, depth));
    });
    pixels(context, (u, v, old) => blend(old, [238, 232, 222], 0.62 * Math.exp(-(((v - 0.615) * 26) ** 2)) * (0.5 + fbm(u * 3, 1, 3))));
    develop(context, { vignette: 0.22 });
  }],

  /** Rocks in the sea at night, exposed for a minute. */
  rocks: [1600, 1067, ({ fbm, noise, mix, step, ramp, blend, pixels, develop, clamp }, context) => {
    const line = 0.46;
    const tones = [[0, [24, 38, 66]], [0.3, [74, 100, 136]], [0.46, [188, 198, 206]], [1, [188, 198, 206]]];
    const moon = (u, v) => Math.hypot((u - 0.7) * 1.5, v - 0.17);
    const rocks = [[0.2, 0.66, 0.2, 0.17, 3], [0.36, 0.58, 0.09, 0.09, 13], [0.62, 0.8, 0.26, 0.16, 29], [0.86, 0.6, 0.07, 0.06, 41], [0.06, 0.86, 0.2, 0.14, 57], [0.5, 0.53, 0.03, 0.03, 71]];
    pixels(context, (u, v) => {
      const distance = moon(u, v);
      let colour = ramp(tones, v);
      const streak = fbm(u * 1.4 + v * 3, v * 7 - u * 1.2, 5);
      colour = blend(colour, [206, 214, 222], step(0.45, 0.85, streak) * 0.45 * step(0.5, 0.1, v));
      colour = blend(colour, [244, 242, 230], 0.5 * Math.exp(-distance * 9) + step(0.036, 0.033, distance));
      if (v > line) {
        const depth = (v - line) / (1 - line);
        const silk = fbm(u * (5 - depth * 3) + 3, depth * 16, 5);
        colour = blend([196, 206, 212], [50, 78, 104], depth ** 0.7);
        colour = blend(colour, [222, 230, 234], step(0.42, 0.8, silk) * 0.55);
        const glitter = Math.exp(-(((u - 0.7) * (7 - depth * 3)) ** 2)) * (0.35 + silk * 0.6);
        colour = blend(colour, [250, 244, 228], clamp(glitter * 0.6));
      }
      for (const [x, foot, wide, tall, seed] of rocks) {
        const across = (u - x) / wide;
        if (Math.abs(across) > 0.62) continue;
        const shape = (1 - (across / 0.5) ** 2) * (0.55 + fbm(across * 3 + seed, seed, 6) * 0.9);
        const top = foot - tall * Math.max(0, shape);
        const mist = foot + (fbm(u * 12 + seed, seed, 3) - 0.5) * 0.02;
        if (shape <= 0 || v < top || v > mist + 0.05) continue;
        const facet = fbm(u * 34 + seed, v * 46 - u * 12, 5);
        const lit = clamp((facet - 0.42) * 2.3 + (across + 0.2) * 0.5 + (top + tall * 0.35 - v) * 2);
        const stone = blend([16, 20, 26], [112, 118, 124], lit * 0.8);
        // The waves of a minute are a mist around the foot.
        colour = blend(stone, colour, step(mist - tall * 0.34 - 0.012, mist + 0.012, v));
      }
      return colour;
    });
    develop(context, { vignette: 0.4, grain: 4 });
  }],
};

const names = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
mkdirSync(folder, { recursive: true });
for (const [name, [width, height, scene]] of Object.entries(scenes)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const image = await page.evaluate(
    `(() => {
      const studio = (${studio})();
      const [canvas, context] = studio.canvas(${width}, ${height});
      (${scene})(studio, context);
      return canvas.toDataURL("image/jpeg", 0.8);
    })()`,
  );
  const bytes = Buffer.from(image.split(",")[1], "base64");
  writeFileSync(join(folder, `${name}.jpg`), bytes);
  console.log(`${name}.jpg: ${Math.round(bytes.length / 1000)} KB`);
}
await browser.close();
