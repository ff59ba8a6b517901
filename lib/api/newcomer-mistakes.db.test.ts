import { connect } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { createPersonalToken, revokeToken } from "@/lib/grants/personal-tokens";
import { startFront } from "@/lib/testing/api-server";
import { anApp, anAppWith, aTokenFor } from "@/lib/testing/factories";
import { mistakes, saysWhatToDo } from "@/lib/testing/mistaken-api-requests";
import { newVerifier } from "@/lib/testing/oauth-flow";
import { unknownSecret } from "@/lib/testing/unknown-secret";

const { ask, port } = await startFront();

/** The values that the table's rows refer to by name. */
const values: Record<string, string> = {};
const tokens: Record<string, string | undefined> = { nobody: undefined };

beforeAll(async () => {
  const { owner, clientId, token } = await anAppWith(
    "approvals:write",
    "approvals:read",
    "approvals:resolve",
    "notifications:write",
  );
  const revoked = await aTokenFor(owner, clientId, ["approvals:read"]);
  await revokeToken(owner, revoked.id);
  const withScopes = async (...scopes: ("approvals:read" | "approvals:write")[]) =>
    (await aTokenFor(owner, clientId, scopes)).token;
  const mcp = await createPersonalToken(owner, { clientId, scopes: ["approvals:read"], resource: "mcp" });
  Object.assign(tokens, { all: token, revoked: revoked.token, mcp: mcp.token });
  Object.assign(tokens, { reader: await withScopes("approvals:read"), writer: await withScopes("approvals:write") });
  const body = { question: "Ship?", options: [{ id: "yes", label: "Yes" }] };
  const submit = async (headers = {}) =>
    ((await ask("POST", "/api/approvals", { token, body, headers })).body as { id: string }).id;
  const answered = await submit({ "idempotency-key": "used" });
  await ask("POST", `/api/approvals/${answered}/resolve`, { token, body: { kind: "option", optionId: "yes" } });
  const app = await anApp(owner, { public: true });
  Object.assign(values, {
    ...{ ALL: token, HALF: token.slice(0, 30), CLIENT: app.clientId, APP: app.clientId, REFRESH: unknownSecret("rt") },
    ...{ PENDING: await submit(), ANSWERED: answered, SOON: String(Date.now() + 3_600_000), LONG: "x".repeat(200_000) },
    ...{ VERIFIER: newVerifier(), BACK: "https://app.example/callback" },
  });
});

type MistakeRow = {
  points: number;
  status: number;
  method: string;
  path: string;
  who: string;
  extra: string;
  body: string;
  reply: string;
};
const row =
  /^(?<points>\d) (?<status>\d{3}) (?<method>[A-Z]+) (?<path>\S+)(?: as (?<who>"[^"]*"|\w+))?(?<extra>(?: \+\S+)*)(?: (?<body>.*?))? → (?<reply>.+)$/;

function read(line: string): MistakeRow {
  const {
    points,
    status,
    method = "",
    path = "",
    who = "all",
    extra = "",
    body = "",
    reply = "",
  } = row.exec(line)?.groups ?? {};
  if (!points) throw new Error(`This is not a row: ${line}`);
  return { points: Number(points), status: Number(status), method, path, who, extra, body, reply };
}

const filled = (text: string) =>
  text
    .replace("QUESTION", '"question":"Ship?"')
    .replace("OPTIONS", '"options":[{"id":"yes","label":"Yes"}]')
    .replace(/\$([A-Z]+)/g, (_, name) => values[name] ?? "");

const kinds: Record<string, string> = {
  "json:": "application/json",
  "form:": "application/x-www-form-urlencoded",
};

/**
 * Sends the request of a table row.
 * @returns the status, headers and body as readable text
 */
async function send({ method, path, who, extra, body }: MistakeRow) {
  const [, kind = "json:", rest = ""] = /^(json:|form:)?(.*)$/s.exec(body) ?? [];
  const sent = extra
    .split(" +")
    .filter(Boolean)
    .map((each) => each.split("=", 2) as [string, string]);
  const authorization = who.startsWith('"') ? filled(who.slice(1, -1)) : tokens[who] && `Bearer ${tokens[who]}`;
  const raw = method === "POST" ? filled(rest) : undefined;
  return ask(method, filled(path), {
    ...(raw !== undefined && { raw }),
    headers: {
      ...(raw !== undefined && { "content-type": kinds[kind] ?? "" }),
      ...(authorization !== undefined && { authorization }),
      ...Object.fromEntries(sent),
    },
  });
}

let points = 0;
let count = 0;

describe.each(Object.entries(mistakes))("%s", (_, lines) => {
  test.each(lines.trim().split("\n"))("explains the mistake in %s", async (line) => {
    const it = read(line);
    const { status, headers, text } = await send(it);
    const seen = `${[...headers].map(([name, value]) => `${name}: ${value}`).join("\n")}\n${text}`;
    expect([status, seen]).toEqual([it.status, expect.stringContaining(it.reply)]);
    expect([it.reply, saysWhatToDo.test(it.reply)]).toEqual([it.reply, it.points === 3]);
    points += it.points;
    count++;
  });
});

test("causes a TLS error for an HTTPS request to the HTTP port", async () => {
  const socket = connect({ host: "127.0.0.1", port });
  const why = await new Promise((resolve) => socket.on("error", ({ message }) => resolve(message)));
  expect(why).toMatch(/wrong version number/);
  points++;
  count++;
});

test("scores at least 2.7 of 3 points on average for helpful error messages", () => {
  expect(count).toBeGreaterThanOrEqual(80);
  expect(points / count).toBeGreaterThanOrEqual(2.7);
  for (const line of Object.values(mistakes).join("\n").trim().split("\n").filter(Boolean))
    expect([line, read(line).points >= 1]).toEqual([line, true]);
});
