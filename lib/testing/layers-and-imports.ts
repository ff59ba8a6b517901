import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/*
 * Lists the product's own files, layers and imports, for the architecture's tests and its diagram.
 */

/** The layers, lowest first. A file may import from its own layer or a lower one. */
export const layers: readonly { title: string; pattern: RegExp }[] = [
  {
    title: "Foundations",
    pattern: /^lib\/(?:(?:config|database(?:\/shards(?:\/[\w-]+)?)?|net|keys|telemetry|text|work)\/)?[\w-]+$/,
  },
  {
    title: "Domains",
    pattern: /^lib\/(?!api\/|web\/|http\/|cli\/|serving\/|postgres\/|testing\/|generated\/)[\w-]+\//,
  },
  { title: "API, web, migrations", pattern: /^lib\/(api|web|postgres)\// },
  { title: "Components", pattern: /^components\// },
  { title: "Pages and routes", pattern: /^app\// },
  { title: "HTTP server, commands, metrics", pattern: /^lib\/(http|cli|serving)\// },
  { title: "Start", pattern: /^server$/ },
];
export const layerOf = (path: string): number =>
  layers.findIndex(({ pattern }) => pattern.test(path.replace(/\.tsx?$/, "")));

export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesIn(join(folder, entry.name))
      : /\.tsx?$/.test(entry.name)
        ? [join(folder, entry.name)]
        : [],
  );

/** Every file of the product, without tests, test helpers and generated code. */
export const sources: readonly string[] = [...["lib", "components", "app"].flatMap(filesIn), "server.ts"].filter(
  (file) => !/\.test\.tsx?$|^lib\/(generated|testing)\//.test(file),
);

/** Every form of import: a statement, a side-effect import, and `import()`. */
export const importing =
  /^(?:import|export)\s+(?<type>type\s)?[^;]*?from\s+"(?<named>[^"]+)"|^import\s+"(?<bare>[^"]+)"|\bimport\(\s*"(?<later>[^"]+)"/gm;

/**
 * Returns every import of a file, as paths from the root. `typeOnly` means that the compiler erases
 * the import.
 */
export const importsOf = (file: string): { to: string; typeOnly: boolean }[] =>
  [...readFileSync(file, "utf8").matchAll(importing)].flatMap(({ groups: { type, named, bare, later } = {} }) => {
    const from = named ?? bare ?? later ?? "";
    if (from.startsWith("@/")) return [{ to: from.slice(2), typeOnly: !!type }];
    return from.startsWith(".") ? [{ to: normalize(join(dirname(file), from)), typeOnly: !!type }] : [];
  });
