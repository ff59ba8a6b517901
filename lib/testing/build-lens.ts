import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

/*
 * The lens is one HTML file that owners save, compare by its hash and serve from other origins.
 * `npm run derive` builds it from lib/lens/page, and a test compares it with its sources. Its code is
 * not minified, so that people can read what they run.
 */

const root = join(import.meta.dirname, "../..");
const folder = "lib/lens/page";

/** The path of the lens in the repository. */
export const lensPath = "public/lens/countersign-lens.html";

/** Returns the lens as HTML. The same sources always result in the same text. */
export function lensFile(): string {
  const style = styleOf();
  const mark = readFileSync(join(root, "public/mark.svg"), "utf8").trim();
  const script = bundle();
  const parts: Record<string, string> = {
    policy: policyFor(script, style),
    icon: `data:image/svg+xml;base64,${Buffer.from(mark).toString("base64")}`,
    mark: mark.replace(/^<svg[^>]*><title>.*?<\/title>|<\/svg>$/g, ""),
    style,
    script,
  };
  return readFileSync(join(root, folder, "lens.html"), "utf8").replaceAll(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => parts[name] ?? "",
  );
}

/** Returns the lens's style, with the colors and the font that it uses from the service's pages. */
function styleOf(): string {
  const own = readFileSync(join(root, folder, "lens.css"), "utf8");
  const used = new Set(own.match(/--(?:color|font)-[a-z-]+/g));
  const pages = readFileSync(join(root, "app/globals.css"), "utf8");
  const theme = [...pages.matchAll(/^ {2}(--[a-z-]+): .*;$/gm)].filter(([, name = ""]) => used.has(name));
  return `:root {\n${theme.map(([line]) => line).join("\n")}\n}\n${own}`;
}

/** Returns the SHA-256 of a file's text, in hexadecimal. */
export const fileHash = (text: string): string => createHash("sha256").update(text).digest("hex");

function bundle(): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [`${folder}/main.ts`],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    // Only the paths of our own modules, without the checkout's other compiler settings.
    tsconfigRaw: { compilerOptions: { paths: { "@/*": ["./*"] } } },
    banner: { js: credits },
  });
  return `\n${outputFiles[0]?.text ?? ""}`;
}

/** Names the authors of the packages in the lens, as their licenses require. */
const credits = `/*
 * The lens of Countersign. Contains parts of @scure/bip39, @noble/hashes and qr, copyright (c) Paul
 * Miller (paulmillr.com), MIT license, and confusables.txt, copyright (c) Unicode, Inc., Unicode
 * License V3. The page /licenses.txt of every Countersign service has the licenses.
 */`;

/** Returns a policy that allows this script and this style, and no other resource or request. */
function policyFor(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
