import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env, type ServiceSettings } from "@/lib/config/env";
import { freePort } from "@/lib/net/free-port";
import { processSingleton } from "@/lib/work/process-singleton";

/*
 * "Demo identity": a provider that `npm run seed` installs, so that a new user without accounts
 * elsewhere can try linking. It runs on this computer, next to the service that has its config
 * file.
 */

/** The running provider: its address, and our registration with it. */
export type DemoIdentity = { origin: string; clientId: string; clientSecret: string };

const answering = processSingleton<{ now: DemoIdentity | undefined }>("Demo identity", () => ({ now: undefined }));

/** The provider's current address; absent while it does not respond. */
export const demoIdentity = (): DemoIdentity | undefined => answering().now;

export const setDemoIdentity = (demo: DemoIdentity | undefined): void => {
  answering().now = demo;
};

const kinds = ["mail", "calendar", "contacts", "files", "tasks"];

/** The access that owners can grant, by the provider's scopes. */
export const demoScopes: Record<string, readonly string[]> = Object.fromEntries(
  kinds.flatMap((kind) => [
    [`${kind}.read`, [`${kind}:read`]],
    [`${kind}.write`, [`${kind}:write`]],
  ]),
);

/** Its config file in the data folder: its port, and the credentials we share. */
export type DemoConfig = { port: number; clientSecret: string; cookieKeys: string[]; keys: object[] };

/**
 * The folder of its config file. Undefined if there is no data folder, or if owners use other
 * computers, whose browsers would look for it there.
 * @param settings as they were before the service filled them in
 */
export function demoFolder({ DATABASE_URL }: ServiceSettings): string | undefined {
  const { protocol, hostname } = new URL(env().publicUrl);
  const here = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return here && (!DATABASE_URL || process.env.DATA_DIR) ? env().dataDir : undefined;
}

const fileIn = (folder: string) => join(folder, "demo-identity.json");

/** Its config, if the file exists. */
export function readDemo(folder: string): DemoConfig | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(folder), "utf8")) as DemoConfig;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Turn it on: write its config file, readable only by its owner. The first writer wins. */
export async function enableDemo(folder: string): Promise<void> {
  const secret = () => randomBytes(32).toString("base64url");
  const port = await freePort();
  const unfinished = write(folder, { port, clientSecret: secret(), cookieKeys: [secret()], keys: [newSigningKey()] });
  try {
    linkSync(unfinished, fileIn(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished);
  }
}

/** A private signing key (ES256), with its own key ID. */
export const newSigningKey = (): object => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  use: "sig",
  alg: "ES256",
  kid: randomBytes(6).toString("hex"),
});

/** Move it to another port, because another program has taken its port. */
export async function moveDemo(folder: string, kept: DemoConfig): Promise<void> {
  renameSync(write(folder, { ...kept, port: await freePort() }), fileIn(folder));
}

function write(folder: string, kept: DemoConfig): string {
  const unfinished = `${fileIn(folder)}.${randomBytes(4).toString("hex")}`;
  writeFileSync(unfinished, `${JSON.stringify(kept)}\n`, { mode: 0o600, flush: true });
  return unfinished;
}

/** Exit code of its process when another program has its port. */
export const portTaken = 3;

/** Its address and our registration, from its config file. */
export const toDemoIdentity = ({ port, clientSecret }: DemoConfig): DemoIdentity => ({
  origin: `http://127.0.0.1:${port}`,
  clientId: "countersign",
  clientSecret,
});

/** Its proof of identity: only a process with its config file can compute this. */
export const demoProof = ({ clientSecret }: DemoConfig, question: string): string =>
  createHmac("sha256", clientSecret).update(`demo ${question}`).digest("base64url");

/** Whether it responds, as opposed to another program on its port. */
export async function isDemoRunning(kept: DemoConfig): Promise<boolean> {
  const question = randomBytes(12).toString("base64url");
  const address = `${toDemoIdentity(kept).origin}/proof?${question}`;
  try {
    const reply = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(2_000) });
    return (await reply.text()) === demoProof(kept, question);
  } catch {
    return false;
  }
}
