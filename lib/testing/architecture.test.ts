import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { matchPath, operations } from "@/lib/api/registry";

/** Lowest layer first. A file may import from its own layer or a lower one. */
const layers = [
  /^lib\/(?:(?:config|database|net|keys|telemetry|text|work)\/)?[\w-]+$/,
  /^lib\/(?!api\/|web\/|http\/|cli\/|serving\/|postgres\/|testing\/|generated\/)[\w-]+\//,
  /^lib\/(api|web|postgres)\//,
  /^components\//,
  /^app\//,
  /^lib\/(http|cli|serving)\//,
  /^server$/,
];
const layerOf = (path: string) => layers.findIndex((pattern) => pattern.test(path.replace(/\.tsx?$/, "")));

/** Allowed imports between domains. */
const between: Record<string, string[]> = {
  events: [],
  access: ["events"],
  requests: ["events", "access"],
  owners: ["events"],
  apps: ["events", "owners"],
  grants: ["events", "access", "apps", "owners"],
  oauth: ["events", "access", "apps", "owners", "grants"],
  traffic: ["events", "apps", "grants"],
  approvals: ["events", "access", "requests", "apps", "grants", "owners"],
  notifications: ["events", "access", "requests", "apps", "grants", "owners"],
  integrations: ["events", "access", "owners"],
  "event-feed": ["events", "access", "requests", "approvals", "notifications", "integrations"],
  "live-counts": ["events", "owners", "approvals", "notifications", "integrations"],
  alerts: ["events", "owners", "apps", "grants", "approvals", "notifications", "live-counts", "webhooks"],
  activity: ["events", "apps", "approvals", "notifications", "integrations"],
  receipts: ["approvals", "access"],
  webhooks: ["events", "event-feed", "apps", "owners", "grants"],
  // Account deletion and export concern all domains.
  "owner-data": [
    ...["requests", "alerts", "approvals", "apps", "events", "grants", "integrations", "notifications", "oauth"],
    ...["owners", "traffic", "webhooks"],
  ],
};

const files = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? files(join(folder, entry.name))
      : /\.tsx?$/.test(entry.name)
        ? [join(folder, entry.name)]
        : [],
  );
const sources = [...["lib", "components", "app"].flatMap(files), "server.ts"].filter(
  (file) => !/\.test\.tsx?$|^lib\/(generated|testing)\//.test(file),
);

/** All imports of a file, as paths from the root: static, side-effect and dynamic. */
const importing =
  /^(?:import|export)\s+(?<type>type\s)?[^;]*?from\s+"(?<named>[^"]+)"|^import\s+"(?<bare>[^"]+)"|\bimport\(\s*"(?<later>[^"]+)"/gm;
/** Every import of a file; `typeOnly` if it imports only types. */
const imports = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(importing)].flatMap(({ groups: { type, named, bare, later } = {} }) => {
    const from = named ?? bare ?? later ?? "";
    if (from.startsWith("@/")) return [{ to: from.slice(2), typeOnly: !!type }];
    return from.startsWith(".") ? [{ to: normalize(join(dirname(file), from)), typeOnly: !!type }] : [];
  });

test("sees every form of import", () => {
  const forms = [
    'import { a } from "@/lib/a";',
    'export * from "@/lib/b";',
    'import "@/lib/c";',
    'await import("@/lib/d");',
  ];
  const found = [...forms.join("\n").matchAll(importing)];
  expect(found.map(({ groups: { named, bare, later } = {} }) => named ?? bare ?? later)).toEqual(
    ["a", "b", "c", "d"].map((name) => `@/lib/${name}`),
  );
});

test("imports only from lower layers", () => {
  const upward = sources.flatMap((file) =>
    importsOf(file)
      .filter(({ to }) => layerOf(to) > layerOf(file))
      .map(({ to }) => `${file} → ${to}`),
  );
  expect(upward).toEqual([]);
});

test("imports between domains in one direction only", () => {
  const domainOf = (path: string) => /^lib\/([\w-]+)\//.exec(path)?.[1] ?? "";
  const sideways = sources.flatMap((file) => {
    const allowed = between[domainOf(file)];
    if (!allowed) return [];
    return importsOf(file)
      .filter(({ to }) => domainOf(to) in between && domainOf(to) !== domainOf(file) && !allowed.includes(domainOf(to)))
      .map(({ to }) => `${file} → ${to}`);
  });
  expect(sideways).toEqual([]);
});

test("keeps the client free of other imports, because other programs include it", () => {
  const outside = sources
    .filter((file) => file.startsWith("lib/client/"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\bfrom "(?!\.\/)([^"]+)"/g)].map(([, to]) => `${file} → ${to}`),
    )
    // An adapter depends on its framework and on the gate.
    .filter(
      (it) => !/^lib\/client\/adapters\/[\w-]+\.ts → (\.\.\/gate|@langchain\/(core\/messages|langgraph))$/.test(it),
    );
  expect(outside).toEqual([]);
});

test("components import only shapes", () => {
  // Formatting of words, dates and numbers for servers and browsers.
  const shared = /^lib\/(scopes|text\/(formats|plural|slug))$/;
  const knowing = sources
    .filter((file) => file.startsWith("components/"))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ to, typeOnly }) => to.startsWith("lib/") && !typeOnly && !shared.test(to))
        .map(({ to }) => `${file} → ${to}`),
    );
  expect(knowing).toEqual([]);
});

test("gives every operation a route, and every route an operation", () => {
  const routes = files("app/api").map((file) => dirname(file).slice(3));
  expect(routes).toContain("/api/[...rest]");
  // A separate route file would take precedence over the one that serves all operations.
  expect(routes.filter((path) => matchPath(path.replaceAll(/\[[^/]+\]/g, "x")) !== undefined)).toEqual([]);
  for (const { path } of operations) expect(matchPath(path.replaceAll(/\{\w+\}/g, "x"))?.path).toBe(path);
});

test("only domain functions use the database", () => {
  const asking = sources.filter(
    (file) =>
      /^(components|app|lib\/(api|web|http))\//.test(file) &&
      (importsOf(file).some(
        ({ to, typeOnly }) => (/^lib\/database\/(db|sql)$/.test(to) && !typeOnly) || to.startsWith("lib/generated"),
      ) ||
        /\.query[(<]|\$(query|execute)Raw/.test(readFileSync(file, "utf8"))),
  );
  // A health check asks only whether the database responds.
  expect(asking).toEqual(["lib/api/health.ts"]);
});

test("no file is longer than 250 lines", () => {
  // The client's types are generated from the API description.
  const long = sources.filter(
    (file) => file !== "lib/client/types.ts" && readFileSync(file, "utf8").split("\n").length > 251,
  );
  expect(long).toEqual([]);
});

test("no class or style names a side of the screen, so that pages work right to left", () => {
  const side =
    /(?<=["\s`:])-?(?:p[lr]|m[lr]|left|right|border-[lr]|rounded-[lr]|text-(?:left|right))(?:-[^\s"`]+)?(?=["\s`])/g;
  const physical = sources
    .filter((file) => /^(components|app)\/.*\.tsx$/.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(/class(?:Name)?=(?:"[^"]*"|\{`[^`]*`\})|^const \w+ =\s*"[^"]*";/gm),
      ].flatMap(([classes]) => [...classes.matchAll(side)].map(([name]) => `${file} → ${name}`)),
    );
  expect(physical).toEqual([]);
  expect(readFileSync("app/globals.css", "utf8")).not.toMatch(
    /(?:padding|margin|border)-(?:left|right)|text-align: (?:left|right)/,
  );
});

test("changes are announced by the functions that make them", () => {
  const announcing = sources.filter(
    (file) => file.startsWith("lib/") && /(?<!function )\bpublish\(/.test(readFileSync(file, "utf8")),
  );
  expect(announcing).toEqual([
    "lib/access/authorization.ts",
    "lib/events/change.ts",
    // A check that outlived its request has ended, with any outcome.
    "lib/integrations/keep-alive.ts",
  ]);
});

test("no folder has more than 25 files", () => {
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});

test("no two classes share a name, which bundling would change", () => {
  const names = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("loads metrics and tracing only when they are used", () => {
  const dear = /^(registry|otlp|otlp-metrics)$/;
  const loaded = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(importing)].flatMap(({ groups: { type, named, bare } = {} }) => {
      const from = named ?? bare ?? "";
      const [folder, name = ""] = [
        dirname(from.startsWith("@/") ? from.slice(2) : join(dirname(file), from)),
        basename(from),
      ];
      const isDear = /^(prom-client|@opentelemetry\/)/.test(from) || (folder === "lib/telemetry" && dear.test(name));
      return !type && isDear ? [`${file} → ${from}`] : [];
    }),
  );
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.filter((it) => !/^lib\/telemetry\/(registry|otlp|otlp-metrics)\.ts →/.test(it))).toEqual([]);
});

test("no two files import each other, not even types", () => {
  const named = new Map(sources.map((file) => [file.replace(/\.tsx?$/, ""), file]));
  const needs = new Map(sources.map((file) => [file, importsOf(file).flatMap(({ to }) => named.get(to) ?? [])]));
  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (file: string, way: string[]): void => {
    if (way.includes(file)) return void circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (done.has(file)) return;
    for (const next of needs.get(file) ?? []) follow(next, [...way, file]);
    done.add(file);
  };
  for (const file of sources) follow(file, []);
  expect(circles).toEqual([]);
});
