#!/usr/bin/env node
// Starts the program of this system's package, which npm has chosen among the optional dependencies.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const wanted = `@provensite/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "sitegen.exe" : "sitegen";
let program;
try {
  program = require.resolve(`${wanted}/bin/${file}`);
} catch {
  const { optionalDependencies } = require("../package.json");
  console.error(
    wanted in optionalDependencies
      ? `sitegen: the package ${wanted} is not installed. Install again without --omit=optional or --no-optional; ` +
          "if node_modules was copied from another system, remove it first."
      : `sitegen: there is no program for ${process.platform} on ${process.arch}.`,
  );
  process.exit(3);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`sitegen: ${program} does not start: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
