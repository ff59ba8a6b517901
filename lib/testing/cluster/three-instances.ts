import { disconnect } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { freePort } from "@/lib/net/free-port";
import type { Scope } from "@/lib/scopes";
import { configure } from "@/lib/testing/change-settings";
import { newDataDir, removeDataDir } from "../data-dir";
import { anApp, anOwner, aTokenFor } from "../factories";
import { type Service, startService } from "../service-process";
import { until } from "./background-process";

const secret = "one-for-all-copies-0123456789abcdef0123456789abcd";

/** Starts three instances on one database. Restarted instances keep their ports. */
export async function threeCopies(environment: Record<string, string>) {
  const ports = [await freePort(), await freePort(), await freePort()];
  const folder = newDataDir(0o700);
  const given = {
    ...{ SECRET: secret, DATA_DIR: folder, TRUST_PROXY: "1" },
    ...{ RATE_LIMIT: "0", MAX_PENDING: "0" },
    ...environment,
  };
  const start = (at: number) => startService({ ...given, PORT: String(ports[at]) });
  const copies: Service[] = [];
  for (const at of ports.keys()) copies.push(await start(at));
  const ready = (at: number) =>
    fetch(`http://127.0.0.1:${ports[at]}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    ports,
    copies,
    /** Restarts an instance that has exited. */
    async again(at: number) {
      copies[at] = await start(at);
      await until(() => ready(at), (copies[at] as Service).output);
    },
    said: () => copies.map((copy) => copy.output()).join(""),
    async end() {
      await Promise.all(copies.map((copy) => copy.stop()));
      removeDataDir(folder);
    },
  };
}
export type Copies = Awaited<ReturnType<typeof threeCopies>>;

/**
 * Creates apps, each with a token for the same owner, directly in the database.
 * @param address the migrated database's URL
 */
export async function someApps(address: string, count: number, scopes: Scope[]) {
  configure({ DATABASE_URL: address, SECRET: secret, PUBLIC_URL: "http://localhost:3000" });
  const owner = await anOwner();
  const apps: { token: string; clientId: string }[] = [];
  for (let at = 0; at < count; at++) {
    // Each app is registered by a different owner, because one owner can register at most a
    // hundred.
    const { clientId } = await anApp();
    apps.push({ clientId, token: (await aTokenFor(owner, clientId, scopes)).token });
  }
  await closePubsub();
  // The next suite connects to another database.
  await disconnect();
  return { owner, apps };
}
