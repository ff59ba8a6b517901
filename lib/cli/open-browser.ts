import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The terminal that a person may be using. */
type Terminal = { stdin: NodeJS.ReadStream; stdout: { isTTY?: boolean } };

type Offer = {
  /** The URL to open. */
  address: string;
  /** Whether the URL is secret and so must not appear in the process list. */
  secret: boolean;
  say: (line: string) => void;
};

/**
 * Offer to open the service in the browser, once, if the person who started it is at this computer.
 * Reads whole lines, so the terminal's mode stays unchanged. Reads nothing in the background,
 * because the system would stop the process.
 */
export function offerBrowser({ address, secret, say }: Offer, { stdin, stdout }: Terminal = process): void {
  if (!stdin.isTTY || !stdout.isTTY || !hasBrowser() || !inForeground()) return;
  say("Type o and press Enter to open it in your browser.");
  const heard = (text: Buffer) => {
    if (text.toString().trim().toLowerCase() !== "o") return;
    end();
    open(secret ? leadingTo(address) : Promise.resolve(address)).catch(() =>
      say("Couldn't open a browser. Open the address above manually."),
    );
  };
  const end = () => {
    process.off("SIGCONT", look);
    stdin.off("data", heard).pause();
  };
  const look = () => {
    if (!inForeground()) end();
  };
  process.on("SIGCONT", look);
  stdin.on("data", heard).unref();
}

/** False on CI machines and over SSH. */
function hasBrowser(): boolean {
  const { CI, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI || SSH_CONNECTION) return false;
  return process.platform in openers || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/** Whether the terminal's input belongs to this process. */
function inForeground(): boolean {
  if (process.platform === "win32") return true;
  try {
    const [ours, its] = execFileSync("ps", ["-o", "pgid=", "-o", "tpgid=", "-p", String(process.pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
      .trim()
      .split(/\s+/);
    return ours === its;
  } catch {
    return false;
  }
}

/** Programs that open a URL, on platforms without xdg-open. */
const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** @throws if no program opens the URL, or it reports a failure */
async function open(what: Promise<string>): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, await what], { stdio: "ignore", detached: true });
  child.unref();
  await new Promise<void>((resolve, reject) =>
    child.on("error", reject).on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${code}`)))),
  );
}

/**
 * A local URL that redirects to the address, once and within a minute. A URL seen in the process
 * list is useless afterwards.
 */
function leadingTo(address: string): Promise<string> {
  const path = `/${randomBytes(24).toString("base64url")}`;
  const server = createServer((request, reply) => {
    const asked = request.url === path;
    reply.writeHead(asked ? 302 : 404, { "cache-control": "no-store", ...(asked && { location: address }) }).end();
    if (asked) server.close();
  });
  setTimeout(() => server.close(), 60_000).unref();
  return new Promise((resolve, reject) =>
    server
      .on("error", reject)
      .listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`))
      .unref(),
  );
}
