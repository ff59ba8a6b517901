import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { clientFiles, emitted } from "./hosted-client-files";

/*
 * Builds the npm package `countersign` from lib/client. Its main module is the client. The gate and
 * each adapter are separate modules.
 */

const root = join(import.meta.dirname, "../..");
const source = join(root, "lib/client");
const adapters = readdirSync(join(source, "adapters"))
  .filter((name) => /^[\w-]+\.ts$/.test(name))
  .map((name) => `adapters/${name.slice(0, -3)}`);

/** Two variants of a module that provides WebCrypto, because Node.js 18 has no global WebCrypto. */
const crypto = {
  "crypto.js": "export const crypto = globalThis.crypto;\n",
  "crypto.cjs": "exports.crypto = globalThis.crypto;\n",
  "crypto-node.js": 'export { webcrypto as crypto } from "node:crypto";\n',
  "crypto-node.cjs": 'exports.crypto = require("node:crypto").webcrypto;\n',
};

/**
 * Includes each of our modules only once, so that `instanceof` works for errors from every entry
 * point.
 */
const apart = (extension: string): Plugin => ({
  name: "apart",
  setup(it) {
    it.onResolve({ filter: /^\.\.?\/(countersign|gate)$/ }, ({ path, kind }) =>
      kind === "entry-point"
        ? undefined
        : { path: `./${path.endsWith("gate") ? "gate" : "index"}${extension}`, external: true },
    );
    it.onResolve({ filter: /^#crypto$/ }, ({ path }) => ({ path, external: true }));
  },
});

/** Empties a folder and writes the package's files into it. */
export async function buildPackage(to = join(root, "clients/typescript/dist")): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(to, name), text);
  for (const [name, text] of Object.entries(crypto)) write(name, text);
  const entryPoints = Object.fromEntries([
    ["index", join(source, "countersign.ts")],
    ...["gate", ...adapters].map((name) => [basename(name), join(source, `${name}.ts`)]),
  ]);
  for (const [format, extension] of [
    ["esm", ".js"],
    ["cjs", ".cjs"],
  ] as const) {
    await build({
      entryPoints,
      outdir: to,
      outExtension: { ".js": extension },
      bundle: true,
      packages: "external",
      format,
      platform: "neutral",
      target: "es2022",
      charset: "utf8",
      inject: [fileURLToPath(new URL("npm-package-crypto-shim.ts", import.meta.url))],
      plugins: [apart(extension)],
      tsconfigRaw: "{}",
    });
  }
  const { types } = await clientFiles();
  // The gate's declarations import those of the guard.
  const declared = emitted(["gate", "guard", ...adapters]);
  for (const [extension, end] of [
    [".d.ts", ".js"],
    [".d.cts", ".cjs"],
  ] as const) {
    write(`index${extension}`, types);
    for (const [name, text] of Object.entries(declared)) {
      const inPackage = text
        .replaceAll(/from "\.\.?\/(gate|guard)"/g, `from "./$1${end}"`)
        .replaceAll(/from "\.\/countersign"/g, `from "./index${end}"`);
      write(`${basename(name)}${extension}`, inPackage);
    }
  }
}

if (process.argv[1]?.endsWith("build-npm-package.ts")) await buildPackage();
