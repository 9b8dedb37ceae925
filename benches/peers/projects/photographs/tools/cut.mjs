// Cuts pieces from photographs: `node cut.mjs pieces.json`. Runs where sharp is installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const sharp = createRequire(`${process.cwd()}/`)("sharp");
for (const { from, turn, mirror, left, top, width, height, to } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const piece = sharp(from).rotate(turn).extract({ left, top, width, height }).flop(mirror);
  // Nothing of the camera's metadata is written.
  await piece.jpeg({ quality: 92 }).toFile(to);
}
