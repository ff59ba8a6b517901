import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/lib/net/free-port";
import { findProgram } from "../find-program";
import { aCertificate } from "../self-signed-certificate";
import { type Background, background, listening } from "./background-process";
import { asShipped } from "./documented-config";

/** A load balancer in front of several instances, configured as in docs/operations. */
export type Balancer = {
  /** The load balancer's TLS port, and the certificate to trust. */
  port: number;
  ca: string;
  /** The load balancer's log and warnings. */
  output(): string;
  stop(): Promise<void>;
};

export const balancers = { HAProxy: startHaproxy, nginx: startNginx };
export const findBalancer = (name: keyof typeof balancers) => findProgram(name.toLowerCase());
export const noBalancer = (name: keyof typeof balancers) =>
  `needs ${name}: "apt-get install ${name === "nginx" ? "nginx-light" : "haproxy"}"`;

/** The instances' addresses in the published configurations. */
const documented = ["10.0.0.11:3000", "10.0.0.12:3000", "10.0.0.13:3000"];

function folderWithCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "countersign-balancer-"));
  const { key, cert } = aCertificate("localhost");
  writeFileSync(join(folder, "both.pem"), cert + key);
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key);
  return { folder, ca: cert };
}

const here = (copies: readonly number[]) =>
  Object.fromEntries(documented.map((address, at) => [address, `127.0.0.1:${copies[at]}`]));

/** Starts HAProxy with docs/operations/haproxy.cfg. @param copies the instances' ports */
async function startHaproxy(copies: readonly number[], port: number): Promise<Balancer> {
  const { folder, ca } = folderWithCertificate();
  const plain = await freePort();
  const configuration = asShipped("haproxy.cfg", {
    ...here(copies),
    ":443": `127.0.0.1:${port}`,
    ":80\n": `127.0.0.1:${plain}\n`,
    "/etc/haproxy/countersign.pem": join(folder, "both.pem"),
  });
  writeFileSync(join(folder, "haproxy.cfg"), configuration);
  const it = background(findProgram("haproxy") as string, ["-db", "-f", join(folder, "haproxy.cfg")]);
  await listening(it, port);
  return { port, ca, output: it.output, stop: () => gone(it, folder, "SIGTERM") };
}

/** Starts nginx with docs/operations/nginx.conf. @param copies the instances' ports */
async function startNginx(copies: readonly number[], port: number): Promise<Balancer> {
  const { folder, ca } = folderWithCertificate();
  const plain = await freePort();
  const configuration = asShipped("nginx.conf", {
    ...here(copies),
    "listen 443 ": `listen 127.0.0.1:${port} `,
    "listen 80;": `listen 127.0.0.1:${plain};`,
    "/etc/nginx/countersign.crt": join(folder, "cert.pem"),
    "/etc/nginx/countersign.key": join(folder, "key.pem"),
    "/var/log/nginx/countersign.log": join(folder, "access.log"),
  });
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configuration);
  const globals = `daemon off; pid ${join(folder, "nginx.pid")};`;
  const program = findProgram("nginx") as string;
  const it = background(program, ["-c", file, "-e", "stderr", "-g", globals]);
  await listening(it, port);
  return {
    port,
    ca,
    output: () => it.output() + readFileSync(join(folder, "access.log"), "utf8"),
    stop: () => gone(it, folder, "SIGTERM"),
  };
}

async function gone(it: Background, folder: string, signal: NodeJS.Signals) {
  await it.kill(signal);
  rmSync(folder, { recursive: true, force: true });
}
