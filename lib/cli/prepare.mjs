// What has to be there before any of our TypeScript can run: packages, the generated Prisma client, the bundled programs, and the
// build. Plain JavaScript without imports from packages. Each step is done only when what it made does not match what it was
// made from.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { withEagerCompileHints } from "./eager-compile.mjs";
import { Failed, run } from "./program.mjs";

export const root = join(import.meta.dirname, "../..");
const inRoot = (/** @type {string[]} */ ...path) => join(root, ...path);

/** @typedef {<T>(label: string, work: import("./progress.mjs").Work<T>) => Promise<T>} Step */

/** @returns {string | undefined} a sentence when this Node.js is too old */
export function nodeTooOld() {
  const { engines } = readJson("package.json");
  const [major = 0, minor = 0] = engines.node.replace(">=", "").split(".").map(Number);
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split(".").map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return undefined;
  return `Node.js ${engines.node} is needed, and this is ${process.versions.node}.`;
}

/** Settings written in .env count where the environment does not say otherwise. */
export function readEnvFile() {
  const file = inRoot(".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Install packages when they are not the ones in package-lock.json.
 * @param {Step} step
 * @param {{ tests?: boolean }} [what] tests: also what only the tests need
 */
export async function install(step, { tests = false } = {}) {
  if (installed(tests)) return;
  // Where somebody develops, `npm start` leaves them what they test with.
  const all = tests || existsSync(inRoot("node_modules", "vitest"));
  await step("Installing packages", () => npm("ci", all ? "--include=dev" : "--omit=dev"));
}

/**
 * Get what the Demo identity runs on where it is not there: `npm start` leaves it out, since only the seed turns that on. Nothing
 * else changes, for a service may be running on it.
 * @param {Step} step
 */
export async function installDemo(step) {
  if (existsSync(inRoot("node_modules", "oidc-provider"))) return;
  const provider = `oidc-provider@${readJson("package.json").devDependencies["oidc-provider"]}`;
  // As if the service needed it, or npm would bring all that developers need, or nothing.
  const how = ["--no-save", "--save-prod", "--omit=dev", "--fetch-retries=0"];
  await step("Installing the Demo identity", () => npm("install", ...how, provider));
}

function npm(/** @type {string[]} */ ...words) {
  const args = [...words, "--include=optional", "--no-audit", "--no-fund"];
  const own = process.env.npm_execpath;
  return own?.endsWith(".js") ? run(process.execPath, [own, ...args]) : run("npm", args);
}

/** npm writes down what it installed in the same form as what it was asked to. */
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
      // Generating needs no engine, and nothing of it is to be downloaded.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: "1",
    }),
  );
  writeFileSync(stamp, source);
}

/** What the service and its operator run. */
export const programs = [
  "server.ts",
  "lib/serving/child-process.ts",
  "lib/cli/preflight.ts",
  "lib/cli/main.ts",
  "lib/demo-identity/main.ts",
  "prisma/seed.ts",
];

/**
 * Bundle the programs as JavaScript, into a folder whose name is a hash of all they are made from.
 * @param {Step} step
 * @returns where one of them lies, as a file: address
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
    // Names are not kept where two are alike: that is a call for every function that is made, at each request.
    sourcemap: true,
  });
  // Its own process would go on beside the service's, with 65 MiB.
  await stop();
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Somebody else was quicker.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  const all = dirname(folder);
  const made = (/** @type {string} */ name) => statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const others = readdirSync(all).filter((other) => other !== basename(folder) && !other.includes("."));
  // The one before may be running, and be what another process of that service is started from.
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
        if (!waited) tell("Waiting for another copy that is building");
        await new Promise((resolve) => setTimeout(resolve, 1000));
        if (isStamped(stamp, source)) return;
      }
    }
  });
}

/** What Next prints as it builds, and what that part is called for whoever waits. */
export const phases = /** @type {const} */ ([
  [/Creating an optimized production build/, "compiling"],
  [/Running TypeScript/, "checking types"],
  [/Collecting page data/, "collecting pages"],
  [/Generating static pages/, "generating pages"],
  [/Finalizing page optimization/, "finishing"],
]);

/** Show the last phase that a piece of Next's output names. @type {(text: string, phase: (name: string) => void) => void} */
const showPhase = (text, phase) => {
  for (const [pattern, name] of phases) if (pattern.test(text)) phase(name);
};

/** Lay the files that browsers load beside themselves, as Brotli: once and well, where it would else be done quickly each time. */
function compress(/** @type {string} */ folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css)$/.test(name)) continue;
    const file = join(folder, name);
    if (name.endsWith(".js")) writeFileSync(file, withEagerCompileHints(readFileSync(file, "utf8")));
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}

/** Everything a build is made from: not the tests, and not what only the command line reads. */
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
