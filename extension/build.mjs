// Builds dist/ (the folder Chrome loads), or bundles and runs the tests.
//   node build.mjs            one build          node build.mjs --watch   again on every change
//   node build.mjs --test     bundle test/*.test.ts and run them with node --test
//   node build.mjs --hash     print the hash of the source, to compare with dist/build.json

import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync, watch } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(root, "dist");
const sources = ["src", "manifest.json", "build.mjs", "package.json"];

/** Entry → how Chrome runs it: `esm` for the module worker and pages, `iife` for classic content scripts. */
const bundles = [
  { in: "src/background/main.ts", out: "background.js", format: "esm" },
  { in: "src/offscreen/main.ts", out: "offscreen.js", format: "esm" },
  { in: "src/popup/main.ts", out: "popup.js", format: "esm" },
  { in: "src/connect/main.ts", out: "connect.js", format: "esm" },
  { in: "src/confirm/main.ts", out: "confirm.js", format: "esm" },
  { in: "src/content/main.ts", out: "content.js", format: "iife" },
  { in: "src/page/main.ts", out: "page.js", format: "iife" },
];
const copied = [
  ["src/offscreen/offscreen.html", "offscreen.html"],
  ["src/popup/popup.html", "popup.html"],
  ["src/popup/popup.css", "popup.css"],
  ["src/connect/connect.html", "connect.html"],
  ["src/connect/connect.css", "connect.css"],
  ["src/confirm/confirm.html", "confirm.html"],
  ["src/confirm/confirm.css", "confirm.css"],
  ["icons", "icons"],
];

/** Paths of all source files, relative to this folder with `/`, sorted by code unit. */
async function sourceFiles() {
  const found = [];
  const visit = async (relative) => {
    const entry = path.join(root, relative);
    const children = await readdir(entry, { withFileTypes: true }).catch(() => undefined);
    if (children === undefined) { found.push(relative); return; }
    for (const child of children) await visit(`${relative}/${child.name}`);
  };
  for (const source of sources) await visit(source);
  return found.sort();
}

/** sha256 over, for each source file in order: its path, a zero byte, its contents, a zero byte. */
async function sourceHash() {
  const hash = createHash("sha256");
  for (const file of await sourceFiles()) {
    hash.update(file).update("\0").update(await readFile(path.join(root, file))).update("\0");
  }
  return hash.digest("hex");
}

function options(entry, define) {
  return {
    entryPoints: [path.join(root, entry.in)],
    outfile: path.join(dist, entry.out),
    bundle: true, minify: false, sourcemap: "external", charset: "utf8", legalComments: "none",
    target: "chrome125", format: entry.format, define, logLevel: "warning",
  };
}

async function build() {
  const { version } = JSON.parse(await readFile(path.join(root, "manifest.json"), "utf8"));
  const source_hash = await sourceHash();
  const define = { BUILD_HASH: JSON.stringify(source_hash) };
  await mkdir(dist, { recursive: true });
  // Written last, removed first: a folder with build.json is a whole build.
  await rm(path.join(dist, "build.json"), { force: true });
  await Promise.all(bundles.map((entry) => esbuild.build(options(entry, define))));
  for (const [from, to] of copied) await cp(path.join(root, from), path.join(dist, to), { recursive: true });
  await cp(path.join(root, "manifest.json"), path.join(dist, "manifest.json"));
  await writeFile(path.join(dist, "build.json"), `${JSON.stringify({ version, source_hash })}\n`);
  console.log(`built ${path.relative(process.cwd(), dist) || "."} ${version} ${source_hash.slice(0, 12)}`);
}

async function test(only) {
  const out = path.join(root, "node_modules/.tegata-test");
  await rm(out, { recursive: true, force: true });
  const names = (await readdir(path.join(root, "test"))).filter((name) => name.endsWith(".test.ts") && (only.length === 0 || only.some((word) => name.includes(word))));
  await esbuild.build({
    entryPoints: names.map((name) => path.join(root, "test", name)), outdir: out, outExtension: { ".js": ".mjs" },
    bundle: true, platform: "node", format: "esm", sourcemap: "inline", target: "node20", logLevel: "warning",
    define: { BUILD_HASH: '"test"' },
  });
  const files = names.map((name) => path.join(out, name.replace(/\.ts$/, ".mjs")));
  const child = spawn(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit", cwd: root });
  child.on("exit", (code) => { process.exitCode = code ?? 1; });
}

const args = process.argv.slice(2);
if (args.includes("--test")) {
  await test(args.filter((word) => !word.startsWith("--")));
} else if (args.includes("--hash")) {
  console.log(await sourceHash());
} else {
  await build();
  if (args.includes("--watch")) {
    let timer;
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(() => { build().catch((error) => console.error(error.message)); }, 50);
    };
    for (const source of sources) if (existsSync(path.join(root, source))) watch(path.join(root, source), { recursive: source === "src" }, again);
  }
}
