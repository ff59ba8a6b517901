import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The terminal that somebody may sit at. */
type Terminal = { stdin: NodeJS.ReadStream; stdout: { isTTY?: boolean } };

type Offer = {
  /** What there is to open. */
  address: string;
  /** Whether the address is a secret, and so nothing for the list of running programs. */
  secret: boolean;
  say: (line: string) => void;
};

/**
 * Offer whoever started the service to open it in their browser, once, where they sit at this very computer. Reads whole lines, so
 * that the terminal stays as it is; nothing is read in the background, where the system would stop us for it.
 */
export function offerBrowser({ address, secret, say }: Offer, { stdin, stdout }: Terminal = process): void {
  if (!stdin.isTTY || !stdout.isTTY || !hasBrowser() || !inForeground()) return;
  say("Type o and press Enter to open it in your browser.");
  const heard = (text: Buffer) => {
    if (text.toString().trim().toLowerCase() !== "o") return;
    end();
    open(secret ? leadingTo(address) : Promise.resolve(address)).catch(() =>
      say("No browser could be opened. Open the address above yourself."),
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

/** Not for machines that build, and not from afar. */
function hasBrowser(): boolean {
  const { CI, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI || SSH_CONNECTION) return false;
  return process.platform in openers || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/** Whether the terminal's keys are ours. */
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

/** What opens an address, where it is not the desktop's own way. */
const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** @throws when there is nothing that opens it, or that says it could not */
async function open(what: Promise<string>): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, await what], { stdio: "ignore", detached: true });
  child.unref();
  await new Promise<void>((resolve, reject) =>
    child.on("error", reject).on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${code}`)))),
  );
}

/** An address of this computer that leads to another, once and for a minute: what stands in it opens nothing afterwards. */
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
