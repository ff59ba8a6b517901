import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { matchPath, operations } from "@/lib/api/operation-registry";
import { filesIn, importing, importsOf, layerOf, sources } from "./layers-and-imports";

/** The other domains that each domain may import. */
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
  freeze: ["events", "access", "approvals", "apps", "grants", "owners", "traffic"],
  "event-feed": ["events", "access", "requests", "approvals", "notifications", "integrations"],
  "live-counts": ["events", "owners", "approvals", "notifications", "integrations"],
  alerts: ["events", "owners", "apps", "grants", "approvals", "notifications", "live-counts", "webhooks", "freeze"],
  activity: ["events", "apps", "approvals", "notifications", "integrations"],
  receipts: ["events", "access", "approvals"],
  webhooks: ["events", "event-feed", "apps", "owners", "grants"],
  // Account deletion and data export involve all domains.
  "owner-data": [
    ...["requests", "alerts", "approvals", "apps", "events", "grants", "integrations", "notifications", "oauth"],
    ...["owners", "traffic", "webhooks", "freeze", "receipts"],
  ],
};

test("detects every form of import", () => {
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

test("allows imports only from lower layers", () => {
  const upward = sources.flatMap((file) =>
    importsOf(file)
      .filter(({ to }) => layerOf(to) > layerOf(file))
      .map(({ to }) => `${file} → ${to}`),
  );
  expect(upward).toEqual([]);
});

test("allows imports between two domains in only one direction", () => {
  expect(Object.keys(between).filter((domain) => !existsSync(`lib/${domain}`))).toEqual([]);
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

test("keeps the client independent of other modules", () => {
  const outside = sources
    .filter((file) => file.startsWith("lib/client/"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\bfrom "(?!\.\/)([^"]+)"/g)].map(([, to]) => `${file} → ${to}`),
    )
    // An adapter may import its framework, the frameworks' shared packages, and the adapters'
    // shared module.
    .filter(
      (it) => !/^lib\/client\/adapters\/[\w-]+\.ts → (\.\.\/gate|@langchain\/(core\/messages|langgraph))$/.test(it),
    );
  expect(outside).toEqual([]);
});

test("lets components import only types and shared helpers from lib", () => {
  // These modules format text, dates and numbers, check fields, receipts and signing requests, and
  // read QR codes, identically on the server, in the browser and in the lens.
  const shared =
    /^lib\/(scopes|text\/(dates|qr-code|local-time|plural|slug|snooze-times)|approvals\/fields\/(field-kinds|field-values|form-values)|client\/(base64|errors|receipts|signed-answers)|lens\/(fingerprint|lens-messages|qr-reader|request-link))$/;
  const knowing = sources
    .filter((file) => file.startsWith("components/"))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ to, typeOnly }) => to.startsWith("lib/") && !typeOnly && !shared.test(to))
        .map(({ to }) => `${file} → ${to}`),
    );
  expect(knowing).toEqual([]);
});

test("routes every operation through the API's catch-all route", () => {
  const routes = filesIn("app/api").map((file) => dirname(file).slice(3));
  expect(routes).toContain("/api/[...rest]");
  // A more specific route file would take precedence over the catch-all route and bypass it.
  expect(routes.filter((path) => matchPath(path.replaceAll(/\[[^/]+\]/g, "x")) !== undefined)).toEqual([]);
  for (const { path } of operations) expect(matchPath(path.replaceAll(/\{\w+\}/g, "x"))?.path).toBe(path);
});

test("queries the database only in domain functions", () => {
  const asking = sources.filter(
    (file) =>
      /^(components|app|lib\/(api|web|http))\//.test(file) &&
      (importsOf(file).some(
        ({ to, typeOnly }) => (/^lib\/database\/(db|sql)$/.test(to) && !typeOnly) || to.startsWith("lib/generated"),
      ) ||
        /\.query[(<]|\$(query|execute)Raw/.test(readFileSync(file, "utf8"))),
  );
  // A probe checks only whether the database responds.
  expect(asking).toEqual(["lib/api/health.ts"]);
});

/** The files that import a matching module of the database layer's room for homes and shards. */
const importingShards = (module: RegExp) =>
  sources.filter(
    (file) =>
      !file.startsWith("lib/database/") &&
      importsOf(file).some(({ to }) => to.startsWith("lib/database/shards/") && module.test(to)),
  );

test("lets only IDs, secrets and the senders of statements know homes and shards", () => {
  const found = importingShards(/(?<!\/(marks|each-shard))$/).filter((file) => !/^lib\/(cli|serving)\//.test(file));
  expect(found).toEqual([
    "lib/api/health.ts",
    "lib/events/change-transaction.ts",
    "lib/ids.ts",
    "lib/keys/secret-tokens.ts",
    "lib/request-context.ts",
    "lib/requests/batched-statement.ts",
  ]);
});

test("marks work for all owners where it starts, and in few files of domains", () => {
  const shared = [
    "lib/access/token-watcher.ts",
    "lib/events/change-transaction.ts",
    "lib/events/pubsub.ts",
    "lib/events/shard-messages.ts",
    "lib/events/watch-app-events.ts",
  ];
  // At most twelve files.
  const ofDomains = [
    "lib/alerts/devices.ts",
    "lib/approvals/deadlines.ts",
    "lib/apps/metadata-documents.ts",
    "lib/grants/token-store.ts",
    "lib/keys/encrypted-table.ts",
    "lib/owners/account-locks.ts",
    "lib/owners/find-accounts.ts",
    "lib/owner-data/account-deletion.ts",
    "lib/traffic/write-by-owner.ts",
    "lib/webhooks/deliveries-by-shard.ts",
  ];
  const found = importingShards(/\/(marks|each-shard)$/).filter((file) => !/^lib\/(cli|serving)\//.test(file));
  expect(found.sort()).toEqual([...shared, ...ofDomains].sort());
});

test("limits files to 250 lines", () => {
  // The limit does not apply to the client's types, which are generated from the OpenAPI document.
  const long = sources.filter(
    (file) => file !== "lib/client/types.ts" && readFileSync(file, "utf8").split("\n").length > 251,
  );
  expect(long).toEqual([]);
});

test("uses logical sides instead of left and right in CSS classes", () => {
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

test("publishes owners' changes only through the change helpers", () => {
  const announcing = sources.filter(
    (file) => file.startsWith("lib/") && /(?<!function )\bpublish\(/.test(readFileSync(file, "utf8")),
  );
  expect(announcing).toEqual([
    "lib/access/authorization.ts",
    "lib/events/change-transaction.ts",
    // This worker refreshes open pages after an account check, even if the check changed nothing.
    "lib/integrations/account-check-worker.ts",
  ]);
});

test("limits folders to 25 files", () => {
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});

test("defines no two classes with the same name", () => {
  const names = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("loads optional instrumentation only when configured", () => {
  const dear = /^(metrics-registry|otlp-export|otlp-metric-format)$/;
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
  expect(
    loaded.filter((it) => !/^lib\/telemetry\/(metrics-registry|otlp-export|otlp-metric-format)\.ts →/.test(it)),
  ).toEqual([]);
});

test("allows no circular imports", () => {
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
