#!/usr/bin/env node
// Runs the program of this platform, which is in an optional package of its own.
"use strict";
const { spawn } = require("node:child_process");

const name = `evalbook-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "evalbook.exe" : "evalbook";

let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(`error: the package ${name} is not installed`);
  console.error("help: install without --omit=optional, or build evalbook with cargo on this platform");
  process.exit(3);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both; the program decides when it ends.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`error: cannot start ${program}: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
