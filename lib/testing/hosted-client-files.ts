import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/*
 * Programs outside this repository need the client as plain files. `npm run derive` builds them
 * from lib/client into `public/client`, and tests compare them with the sources. The client uses
 * only what every runtime provides (fetch, WebCrypto).
 */

const root = join(import.meta.dirname, "../..");
const entry = "lib/client/countersign.ts";

/** Returns the TypeScript client as one file for any runtime, and its types as another. */
export async function clientFiles(): Promise<{ js: string; types: string }> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    // Ignores the checkout's compiler settings.
    tsconfigRaw: "{}",
    banner: { js: head },
  });
  return { js: outputFiles[0]?.text ?? "", types: declarations() };
}

const head =
  "// The client of Countersign: one file without dependencies, for Node.js 20 and later, Deno, Bun,\n// browsers and workers. Its types are in countersign.d.ts.";

/**
 * Returns the declarations of all the client's modules in one file, without the imports between
 * them.
 */
function declarations(): string {
  const names = modules(join(root, entry));
  const texts = emitted(names);
  const parts = names.map((name) =>
    (texts[name] ?? "")
      .replace(between, "")
      .replaceAll(/import\("[^"]*"\)\./g, "")
      .replace(/^export (?=declare|type)/gm, ""),
  );
  const exports = exported(texts.countersign ?? "").join(", ");
  return `${[...parts.map((part) => part.trim()), `export { ${exports} };`].join("\n\n")}\n`;
}

/** Returns TypeScript's declarations of the client's modules, by name. */
export function emitted(names: readonly string[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-client-"));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const flags = "--ignoreConfig --declaration --emitDeclarationOnly --strict --skipLibCheck --types node";
    const how = "--target es2023 --lib es2023,dom --module esnext --moduleResolution bundler";
    const files = [...names, "adapters/frameworks.d"].map((name) => join(root, "lib/client", `${name}.ts`));
    const args = [tsc, ...flags.split(" "), ...how.split(" "), "--rootDir", join(root, "lib/client")];
    execFileSync(process.execPath, [...args, "--outDir", folder, ...files], { cwd: root, stdio: "pipe" });
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, `${name}.d.ts`), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The imports and exports between modules. */
const between = /^(import|export) (type )?\{[^}]*\}( from "[^"]*")?;\n/gm;

/** Returns the entry module and its imports, each after its dependencies. */
function modules(file: string, seen: string[] = []): string[] {
  for (const [, from] of readFileSync(file, "utf8").matchAll(/^import [^;]*? from "\.\/([\w-]+)";/gm))
    if (!seen.includes(from as string)) modules(join(root, "lib/client", `${from}.ts`), seen);
  const name = file.slice(file.lastIndexOf("/") + 1, -".ts".length);
  if (!seen.includes(name)) seen.push(name);
  return seen;
}

/** Returns the names that the entry module exports. */
const exported = (text: string) =>
  [...text.matchAll(/^export (?:type )?\{([^}]*)\};|^export (?:declare )?(?:class|type) (\w+)/gm)]
    .flatMap(([line, names, name]) =>
      name
        ? [line.includes("type ") ? `type ${name}` : name]
        : (names?.match(/\w+/g) ?? []).map((each) => (line.startsWith("export type") ? `type ${each}` : each)),
    )
    .sort();
