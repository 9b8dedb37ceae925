// Writes the PNGs that a metric compares: `node score.mjs wanted.json`. Runs where sharp is installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const sharp = createRequire(`${process.cwd()}/`)("sharp");
const { references, copies } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const quick = { compressionLevel: 1 };
for (const { from, width, height, to } of references) {
  // Decoded in a step of its own: of a JPEG that is scaled at once, sharp decodes a half or a quarter of the pixels.
  const { data, info } = await sharp(from).raw().toBuffer({ resolveWithObject: true });
  await sharp(data, { raw: info }).resize({ width, height, fit: "fill", kernel: "lanczos3" }).png(quick).toFile(to);
}
for (const { from, to } of copies) {
  await sharp(from).png(quick).toFile(to);
}
