import { readFileSync } from "node:fs";
import net from "node:net";
import { load, request } from "../load";
import { rounded, table } from "../pages/table";
import { resident } from "../process-usage";
import { client, pause } from "./app-client";
import type { Apps, Instance } from "./webhook-apps";

/**
 * Measures many concurrent waits on one instance: their cost for other callers, and the resources
 * left after all disconnect.
 */
export async function crowd({ instances: [instance], tokens }: Apps, size: number): Promise<void> {
  const rows: (string | number)[][] = [];
  const alone = await others(instance, tokens[0] as string);
  rows.push(["nobody", 0, resident(instance.child), ...alone, ""]);
  for (const kind of ["wait", "stream"] as const) {
    const ids = await Promise.all(tokens.map((token) => client(instance.port, token).submit()));
    const began = performance.now();
    const sockets = await Promise.all(
      Array.from({ length: size }, (_, at) => {
        const token = tokens[at % tokens.length] as string;
        const path = kind === "wait" ? `/api/approvals/${ids[at % ids.length]}?wait=60` : "/api/events";
        return begin(instance.port, path, token, kind);
      }),
    );
    const connected = (performance.now() - began) / 1000;
    process.stderr.write(`${size} ${kind} in ${rounded(connected)} s\n`);
    const meanwhile = await others(instance, tokens[0] as string);
    const memory = resident(instance.child);
    // Half of the waits close properly, and half disappear without closing.
    for (const [at, socket] of sockets.entries())
      if (at % 2) socket.end();
      else socket.resetAndDestroy();
    await pause(5_000);
    rows.push([
      kind,
      size,
      memory,
      ...meanwhile,
      `${open(instance)} sockets, ${await refused(instance, tokens, kind)} places`,
    ]);
  }
  table(
    "Load of many waits on one instance: resident MiB, GET and POST of other callers in ms, and what remains 5 s after all disconnect",
    ["", "waiting", "MiB", "GET p50", "GET p95", "POST p50", "POST p95", "left"],
    rows.map((row) => row.map((cell) => (typeof cell === "number" ? rounded(cell) : cell))),
  );
}

/**
 * Other callers' requests during the waits, on 8 connections without pauses. Each POST changes the
 * owner's data.
 */
async function others({ port }: Instance, token: string): Promise<number[]> {
  const id = await client(port, token).submit();
  const get = request("GET", `/api/approvals/${id}`, token);
  const body = { question: "Ship it?", options: [{ id: "ship", label: "Ship now" }] };
  const post = request("POST", "/api/approvals", token, body);
  const gets = await load(port, 8, 5_000, () => get);
  const posts = await load(port, 8, 5_000, () => post);
  if (gets.errors + posts.errors > 0) process.stderr.write(`${gets.errors + posts.errors} failed\n`);
  return [gets.p50, gets.p95, posts.p50, posts.p95];
}

/**
 * A request on its own socket. Resolves once the request waits. By then a stream has sent its
 * headers, and a long poll has sent nothing.
 */
async function begin(port: number, path: string, token: string, kind: "wait" | "stream"): Promise<net.Socket> {
  const socket = net.connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  const accept = kind === "stream" ? "text/event-stream" : "application/json";
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\naccept: ${accept}\r\n\r\n`);
  const answered = new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(String(bytes))));
  const early = await Promise.race([answered, ...(kind === "wait" ? [pause(2_000)] : [])]);
  if (typeof early === "string" && !early.startsWith("HTTP/1.1 200")) throw new Error(early.slice(0, 200));
  socket.resume();
  return socket;
}

/** The service's connections that are still open. */
function open({ port }: Instance): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/net/${name}`, "utf8").split("\n"));
  const established = "01";
  return lines.filter((line) => {
    const [, address = "", , state] = line.trim().split(/\s+/);
    return address.endsWith(local) && state === established;
  }).length;
}

/** Concurrency slots that were not released: an app at its limit is rejected. */
async function refused({ port }: Instance, tokens: string[], kind: "wait" | "stream"): Promise<number> {
  const max = kind === "wait" ? 100 : 10;
  const token = tokens[1] as string;
  const id = await client(port, token).submit();
  const path = kind === "wait" ? `/api/approvals/${id}?wait=60` : "/api/events";
  const tries = await Promise.all(
    Array.from({ length: max }, () =>
      begin(port, path, token, kind).then(
        (socket) => socket,
        () => undefined,
      ),
    ),
  );
  for (const socket of tries) socket?.destroy();
  return tries.filter((socket) => socket === undefined).length;
}
