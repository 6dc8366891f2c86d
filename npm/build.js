// Makes the npm packages from the archives of a release:
//   node npm/build.js ARCHIVES OUT
// OUT gets a folder for each platform that has an archive, and `evalbook`, which depends on them.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

// Target of the archive: what npm calls the system and the processor.
const PLATFORMS = {
  "x86_64-unknown-linux-musl": ["linux", "x64"],
  "aarch64-unknown-linux-musl": ["linux", "arm64"],
  "x86_64-apple-darwin": ["darwin", "x64"],
  "aarch64-apple-darwin": ["darwin", "arm64"],
  "x86_64-pc-windows-msvc": ["win32", "x64"],
};

const [archives, out] = process.argv.slice(2);
if (!archives || !out) {
  console.error("usage: node npm/build.js ARCHIVES OUT");
  process.exit(2);
}

const root = path.join(__dirname, "..");
const version = fs.readFileSync(path.join(root, "Cargo.toml"), "utf8").match(/^version = "(.*)"$/m)[1];
const main = JSON.parse(fs.readFileSync(path.join(__dirname, "package.json"), "utf8"));
const licenses = ["LICENSE-APACHE", "LICENSE-MIT"];

const write = (folder, description, files) => {
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(description, null, 2) + "\n");
  for (const file of files) fs.copyFileSync(path.join(root, file), path.join(folder, path.basename(file)));
};

main.version = version;
for (const [target, [os, cpu]] of Object.entries(PLATFORMS)) {
  const archive = path.join(archives, `evalbook-${version}-${target}.tar.gz`);
  if (!fs.existsSync(archive)) continue;
  const name = `${main.name}-${os}-${cpu}`;
  const folder = path.join(out, name);
  const file = os === "win32" ? "evalbook.exe" : "evalbook";
  fs.mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", archive, "-C", folder, "--strip-components=1", `evalbook-${version}-${target}/${file}`]);
  const { description, license, repository, homepage } = main;
  const about = { name, version, description, license, repository, homepage };
  write(folder, { ...about, os: [os], cpu: [cpu], files: [file] }, licenses);
  main.optionalDependencies[name] = version;
}
if (Object.keys(main.optionalDependencies).length === 0) {
  console.error(`error: no archive of evalbook ${version} is in ${archives}`);
  process.exit(3);
}
const folder = path.join(out, main.name);
fs.mkdirSync(path.join(folder, "bin"), { recursive: true });
fs.copyFileSync(path.join(__dirname, "bin", "evalbook.js"), path.join(folder, "bin", "evalbook.js"));
write(folder, main, [...licenses, "README.md"]);
