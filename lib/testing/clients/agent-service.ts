import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { encode } from "next-auth/jwt";
import { afterAll, expect, onTestFinished } from "vitest";
import { db } from "@/lib/database/db";
import { subscribe } from "@/lib/events/pubsub";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { freePort } from "@/lib/net/free-port";
import { createSession } from "@/lib/owners/sessions";
import { usualScopes } from "@/lib/scopes";
import { configure } from "@/lib/testing/change-settings";
import { eventually } from "@/lib/testing/eventually";
import { sessionClaims, sessionCookie, sessionSecret } from "@/lib/web/session-cookie";
import { answerApproval } from "../answer-approval";
import { newDataDir, removeDataDir } from "../data-dir";
import { anApp, anOwner } from "../factories";
import { startService } from "../service-process";
import { type Ran, runSystem } from "../test-with-programs";

/** A question as a model would write it. The owner always chooses the first option. */
export const question = { question: "Ship build 418?", options: ["Ship now", "Wait"] };
/** The answer as text for the agent. */
export const heard = 'The owner chose option "Ship now". Do exactly what the owner decided, and nothing more.';
/** The tools that the server lists by default. */
export const usualTools = ["add_context", "ask_owner", "check_approval", "notify_owner", "report_outcome"];

/** Opens a URL like a desktop's browser, without waiting for the result. */
const browser = `#!${process.execPath}
fetch(process.env.OWNER + "/open", { method: "POST", body: process.argv[2] });
`;

type Environment = Record<string, string>;
type Run = (program: string, args: readonly string[], env?: Environment, cwd?: string) => Promise<Ran>;

/**
 * Starts the built service for one test file's agents. Each agent has an owner who allows every
 * consent request and answers every question.
 */
export async function agentService() {
  const { DATABASE_URL = "", SECRET = "" } = process.env;
  const data = newDataDir();
  const PORT = await freePort();
  const wire = await tapped(PORT);
  const settings = { DATABASE_URL, SECRET, DATA_DIR: data, PUBLIC_URL: wire.url, REGISTRATION_LIMIT: "0" };
  const service = await startService({ ...settings, PORT: String(PORT) });
  configure({ PUBLIC_URL: wire.url });
  const folder = mkdtempSync(join(tmpdir(), "countersign-agents-"));
  afterAll(async () => {
    await service.stop();
    removeDataDir(data);
    rmSync(folder, { recursive: true, force: true });
  });
  const desktop = join(folder, "desktop");
  mkdirSync(desktop);
  for (const name of ["browser", "xdg-open"]) writeFileSync(join(desktop, name), browser, { mode: 0o755 });

  /** Returns a program's environment. `PATH` is searched before the other folders. */
  const around = ({ PATH = "", ...more }: Environment = {}): Environment => ({
    ...{ BROWSER: join(desktop, "browser"), PATH: [PATH, desktop, process.env.PATH].filter(Boolean).join(delimiter) },
    ...more,
  });

  /** Runs a program, and throws if it fails. */
  const run: Run = async (program, args, env, cwd = folder) => {
    const ran = await runSystem(program, args, { cwd, env: around(env) });
    if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}:\n${ran.out}\n${ran.err}`);
    return ran;
  };
  return { folder, service: wire.url, url: `${wire.url}/api/mcp`, run, around, anAgent: () => anAgent(wire, run) };
}

/** Starts a proxy for the service that records the MCP revisions of requests and responses. */
async function tapped(port: number) {
  const wire = { url: "", spoken: [] as string[] };
  const server = net.createServer((client) => {
    const service = net.connect(port, "127.0.0.1");
    const note = (pattern: RegExp) => (bytes: Buffer) => {
      for (const [, revision = ""] of bytes.toString("latin1").matchAll(pattern)) wire.spoken.push(revision);
    };
    client.on("data", note(/^mcp-protocol-version: *(\S+)/gim));
    // LangChain4j omits the revision after the first exchange.
    service.on("data", note(/"protocolVersion":"([^"]+)"/g));
    client.pipe(service).pipe(client);
    for (const each of [client, service]) each.on("error", () => {});
    client.on("close", () => service.destroy());
    service.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  afterAll(() => void server.close());
  wire.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return wire;
}

async function anAgent({ url: service, spoken }: { url: string; spoken: string[] }, runWith: Run) {
  const owner = await anOwner();
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  const { id } = await createSession(entrance, { method: "password", userAgent: "a test", address: "127.0.0.1" });
  const session = await encode({ token: sessionClaims({ ...entrance, session: id }), secret: sessionSecret() });
  const cookie = `${sessionCookie().name}=${session}`;

  /**
   * Follows an agent's link to the consent page and allows the request.
   * @returns the redirect with the code
   */
  async function allow(link: string): Promise<string> {
    const sent = await fetch(link, { headers: { cookie }, redirect: "manual" });
    const page = new URL(sent.headers.get("location") ?? "", service).href;
    if (!page.includes("/consent/")) throw new Error(`no consent page: ${sent.status} ${page} ${await sent.text()}`);
    const form = await (await fetch(page, { headers: { cookie } })).text();
    const boxes = [...form.matchAll(/<input[^>]*name="scope"[^>]*>/g)].map(([box]) => /value="([^"]+)"/.exec(box)?.[1]);
    const [, csrf = ""] = /name="csrf" value="([\w-]+)"/.exec(form) ?? [];
    const body = new URLSearchParams([
      ["csrf", csrf],
      ["decision", "allow"],
      ...boxes.map((it) => ["scope", it ?? ""]),
    ]);
    const how = { method: "POST", headers: { cookie, origin: service }, redirect: "manual", body } as const;
    return (await fetch(`${page}/decide`, how)).headers.get("location") ?? "";
  }

  // Acts for the person who uses an agent's program. "/open" replaces the browser, and "/allow"
  // returns the redirect.
  const person = http.createServer(async (req, res) => {
    const back = allow(await text(req));
    if (req.url === "/allow") return void res.end(await back);
    res.end();
    // Retries, because some agents start to listen only after they have opened the browser.
    await eventually(async () => fetch(await back));
  });
  await new Promise<void>((resolve) => person.listen(0, "127.0.0.1", resolve));
  const OWNER = `http://127.0.0.1:${(person.address() as AddressInfo).port}`;
  const waiting = { ownerId: owner.ownerId, status: "pending" as const };
  const answerAll = async () => {
    for (const { id } of await db.approval.findMany({ where: waiting }))
      await answerApproval(owner, id, { kind: "option", optionId: "Ship now" });
  };
  const unsubscribe = subscribe(owner.ownerId, () => void answerAll());
  onTestFinished(() => {
    unsubscribe();
    person.close();
  });

  /** Runs an agent's program with this owner's browser. */
  const run: Run = (program, args, env, cwd) => {
    spoken.length = 0;
    return runWith(program, args, { OWNER, ...env }, cwd);
  };

  /**
   * Runs an agent that prints its tools and its answer.
   * @param revision the MCP revision that the run must end with
   */
  async function expectToWork(revision: string, ...how: Parameters<Run>) {
    const { out } = await run(...how);
    expect(out.trim().split(/\r?\n/)).toEqual([`tools ${usualTools.join(" ")}`, `heard ${heard}`]);
    expect(spoken.at(-1)).toBe(revision);
  }

  /** Creates a personal token for MCP. */
  async function personalToken(): Promise<string> {
    const { clientId } = await anApp(owner);
    return (await createPersonalToken(owner, { clientId, scopes: [...usualScopes], resource: "mcp" })).token;
  }
  return { ...{ owner, OWNER, allow, run, expectToWork, personalToken }, spoken: () => spoken.at(-1) };
}
