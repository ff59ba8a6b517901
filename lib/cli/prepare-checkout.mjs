// A fresh checkout cannot run TypeScript. This module prepares packages, the generated Prisma
// client, the bundled programs and the build. It is plain JavaScript, and imports no package before
// installing it. Each step runs only if its output does not match its input.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { withEagerCompileHints } from "./browser-script-compile-hints.mjs";
import { Failed, run } from "./child-program.mjs";

export const root = join(import.meta.dirname, "../..");
const inRoot = (/** @type {string[]} */ ...path) => join(root, ...path);

/** @typedef {<T>(label: string, work: import("./progress.mjs").Work<T>) => Promise<T>} Step */

/**
 * Checks the version of Node.js.
 * @returns {string | undefined} a sentence if this Node.js is too old
 */
export function nodeTooOld() {
  const { engines } = readJson("package.json");
  const [major = 0, minor = 0] = engines.node.replace(">=", "").split(".").map(Number);
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split(".").map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return undefined;
  return `This computer has Node.js ${process.versions.node}. Install Node.js ${engines.node.replace(">=", "")} or later.`;
}

/** Reads settings from .env. Environment variables override them. */
export function readEnvFile() {
  const file = inRoot(".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Installs packages if they differ from package-lock.json.
 * @param {Step} step
 * @param {{ tests?: boolean }} [what] tests: also install packages that only tests need
 */
export async function install(step, { tests = false } = {}) {
  if (installed(tests)) return;
  // In a developer's checkout, `npm start` keeps the packages that tests need.
  const all = tests || existsSync(inRoot("node_modules", "vitest"));
  await step("Installing packages", () => npm("ci", all ? "--include=dev" : "--omit=dev"));
}

function npm(/** @type {string[]} */ ...words) {
  const args = [...words, "--include=optional", "--no-audit", "--no-fund"];
  const own = process.env.npm_execpath;
  return own?.endsWith(".js") ? run(process.execPath, [own, ...args]) : run("npm", args);
}

/**
 * Returns whether the installed packages match the lock file. npm records installed packages in the
 * same format.
 */
function installed(/** @type {boolean} */ tests) {
  if (!existsSync(inRoot("node_modules", ".package-lock.json"))) return false;
  const have = readJson("node_modules", ".package-lock.json").packages;
  return Object.entries(readJson("package-lock.json").packages).every(([path, wanted]) => {
    if (path === "") return true;
    const here = have[path];
    if (here) return here.version === wanted.version && here.integrity === wanted.integrity;
    return wanted.optional || (!tests && (wanted.dev || wanted.devOptional));
  });
}

/** @param {Step} step */
export async function generate(step) {
  const stamp = inRoot("lib", "generated", "prisma", "made-from");
  const source = hash(["prisma/schema.prisma", ".config/prisma.ts", "node_modules/prisma/package.json"]);
  if (isStamped(stamp, source)) return;
  await step("Generating the database client", () =>
    run(process.execPath, [inRoot("node_modules/prisma/build/index.js"), "generate", "--config", ".config/prisma.ts"], {
      // Prevents the engine's download, because generating needs no engine.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: "1",
    }),
  );
  writeFileSync(stamp, source);
}

/** The programs that the service and its operator run. */
export const programs = ["server.ts", "lib/cli/preflight.ts", "lib/cli/main.ts", "prisma/seed.ts"];

/**
 * Bundles the programs as JavaScript, into a folder named by a hash of all their sources.
 * @param {Step} step
 * @returns a function from a program's path to the file URL of its bundle
 */
export async function bundle(step) {
  const skip = /\.test\.tsx?$|^lib[/\\](testing|generated)[/\\]/;
  const inFolders = ["lib", "prisma"].flatMap(filesIn).filter((path) => !skip.test(path));
  const name = hash([...inFolders, "server.ts", "package-lock.json", "tsconfig.json"]);
  const folder = inRoot("lib", "generated", "programs", name);
  if (!existsSync(folder)) await step("Bundling", () => bundleTo(folder));
  return (/** @type {string} */ program) => pathToFileURL(join(folder, program.replace(/ts$/, "js"))).href;
}

async function bundleTo(/** @type {string} */ folder) {
  const { build, stop } = await import("esbuild");
  const unfinished = `${folder}.${process.pid}`;
  await build({
    absWorkingDir: root,
    entryPoints: programs,
    outbase: root,
    outdir: unfinished,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    // `keepNames` is off, because it would add a call for every function created, on each request.
    sourcemap: true,
  });
  // Stops esbuild's process, which would otherwise keep running and use 65 MiB.
  await stop();
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process finished before this one.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  const all = dirname(folder);
  const made = (/** @type {string} */ name) => statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const others = readdirSync(all).filter((other) => other !== basename(folder) && !other.includes("."));
  // Keeps the previous bundle. A running service may still start another process from it.
  const [, ...former] = others.sort((a, b) => made(b) - made(a));
  for (const other of former) rmSync(join(all, other), { recursive: true, force: true });
}

/** @param {Step} step */
export async function build(step) {
  const folder = inRoot(process.env.NEXT_DIST_DIR || ".next");
  const stamp = join(folder, "made-from");
  const source = hash(sources());
  if (isStamped(stamp, source)) return;
  rmSync(stamp, { force: true });
  await step("Building", async (tell, phase) => {
    const next = inRoot("node_modules/next/dist/bin/next");
    const how = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
    for (let waited = false; ; waited = true) {
      try {
        await run(process.execPath, [next, "build"], how, (text) => showPhase(text, phase));
        phase("compressing");
        compress(join(folder, "static"));
        return writeFileSync(stamp, source);
      } catch (error) {
        if (!(error instanceof Failed && /Another next build process/.test(error.said))) throw error;
        if (!waited) tell("Waiting for another build of this checkout to finish");
        await new Promise((resolve) => setTimeout(resolve, 1000));
        if (isStamped(stamp, source)) return;
      }
    }
  });
}

/** Patterns in Next's build output, each with the phase's display name. */
export const phases = /** @type {const} */ ([
  [/Creating an optimized production build/, "compiling"],
  [/Running TypeScript/, "checking types"],
  [/Collecting page data/, "collecting pages"],
  [/Generating static pages/, "generating pages"],
  [/Finalizing page optimization/, "finishing"],
]);

/**
 * Shows the last phase that a piece of Next's output names.
 * @type {(text: string, phase: (name: string) => void) => void}
 */
const showPhase = (text, phase) => {
  for (const [pattern, name] of phases) if (pattern.test(text)) phase(name);
};

/**
 * Adds compile hints to scripts, and stores a Brotli file next to each script and stylesheet.
 * Compressing once, in the build, allows the best compression level.
 */
function compress(/** @type {string} */ folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css)$/.test(name)) continue;
    const file = join(folder, name);
    if (name.endsWith(".js")) writeFileSync(file, withEagerCompileHints(readFileSync(file, "utf8")));
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}

/**
 * Lists the sources whose change requires a new build. Skips tests, and code outside Next's build.
 */
function sources() {
  const skip = /\.test\.tsx?$|^lib[/\\](cli|serving|testing|postgres|generated)[/\\]/;
  const inFolders = ["app", "components", "lib"].flatMap(filesIn).filter((path) => !skip.test(path));
  const above = readdirSync(root).filter((name) =>
    /^(next|postcss|tailwind)\.config\.|^(proxy|instrumentation)/.test(name),
  );
  return [...inFolders, ...above, "package-lock.json", "tsconfig.json", "prisma/schema.prisma"];
}

/** @type {(folder: string) => string[]} */
const filesIn = (folder) =>
  existsSync(inRoot(folder))
    ? readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
      )
    : [];

/** @param {string[]} paths */
function hash(paths) {
  const all = createHash("sha256").update(process.versions.modules);
  for (const path of paths.sort()) {
    all.update(`\0${path.replaceAll(sep, "/")}\0`).update(readFileSync(inRoot(path)));
  }
  return all.digest("hex");
}

/** @type {(stamp: string, source: string) => boolean} */
const isStamped = (stamp, source) => existsSync(stamp) && readFileSync(stamp, "utf8") === source;

const readJson = (/** @type {string[]} */ ...path) => JSON.parse(readFileSync(inRoot(...path), "utf8"));
