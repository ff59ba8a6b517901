import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { encode } from "next-auth/jwt";
import { disconnect } from "@/lib/database/db";
import { shardOfOwner } from "@/lib/database/shards/each-shard";
import { directoryShard } from "@/lib/database/shards/shard-map";
import { freePort } from "@/lib/net/free-port";
import { createSession } from "@/lib/owners/sessions";
import { changeSettings } from "@/lib/owners/settings";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { aDatabaseGate, type DatabaseGate } from "@/lib/testing/database-gate";
import { anAppWith } from "@/lib/testing/factories";
import { diskPrefix } from "@/lib/testing/leftover-folders.mjs";
import { type Service, startService } from "@/lib/testing/service-process";
import { type ShardServers, shardServers } from "@/lib/testing/shards/shard-servers";
import type { Throwaway } from "@/lib/testing/temporary-postgres";
import { type Contents, formerOwner } from "@/lib/testing/upgrades/fill-database";
import { type ReleaseDump, restoreDump } from "@/lib/testing/upgrades/release-dumps";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { sessionClaims, sessionCookie, sessionSecret } from "@/lib/web/session-cookie";
import { addEndpoint, changeEndpoint } from "@/lib/webhooks/endpoints";
import { webhookTypes } from "./check-webhooks";

/** An owner with an app. `database` is the number of the owner's shard, or 0 for the directory. */
export type Party = {
  name: string;
  ownerId: string;
  database: number;
  clientId: string;
  token: string;
  cookie: { name: string; value: string };
  /** The webhook's signing secret, and the path that receives its messages. */
  hook: { path: string; secret: string };
  /** What the owner and the app did in a former version, if a dump contains them. */
  contents?: Contents;
};

/** An instance, which is always at the same address. `service` is undefined while it is killed. */
export type RunningInstance = {
  number: number;
  url: string;
  clockFile: string;
  service: Service | undefined;
  /** Whether it is an instance of the former version. */
  isFormer: boolean;
  /** The number of responses that each version returned at this address. */
  served: { former: number; current: number };
};

/** Where an upgrade begins. */
export type Upgrade = {
  /** A release's dump, which becomes the directory. */
  dump?: ReleaseDump | undefined;
  /** The folder of a built former version, with which both instances begin. */
  former?: string | undefined;
};

/** A PostgreSQL server and the gate through which the instances reach it. 0 is the directory. */
export type Database = { number: number; server: Throwaway; gate: DatabaseGate };

export type Setup = {
  parties: Party[];
  instances: RunningInstance[];
  databases: Database[];
  receiver: Awaited<ReturnType<typeof aReceiver>>;
  /** A folder of limited size that has the files of shard 2; undefined where it can't be created. */
  smallDisk: string | undefined;
  /** Whether instances switch between this version and a former one. */
  hasFormer: boolean;
  startInstance(instance: RunningInstance): Promise<void>;
  end(): Promise<void>;
};

const ownSecret = "a-secret-for-histories-0123456789abcdef0123456789";
const ownersOnEachShard = 2;

/** Starts a directory, two shards and two instances, and creates the owners and their apps. */
export async function setUp({ dump, former }: Upgrade): Promise<Setup> {
  const SECRET = dump?.secret ?? ownSecret;
  const folder = mkdtempSync(join(tmpdir(), diskPrefix));
  // Lets the account of PostgreSQL enter.
  chmodSync(folder, 0o711);
  const smallDisk = mountSmallDisk(join(folder, "small"));
  const servers = await shardServers({
    ...{ folders: [undefined, undefined, smallDisk], walMegabytes: 96 },
    ...(dump && { prepare: (url) => restoreDump(url, dump) }),
  });
  const receiver = await aReceiver();
  await servers.connect({ SECRET, ALLOW_PRIVATE_FETCH: receiver.origin });
  const parties = await makeParties(receiver.origin);
  if (dump) parties.push(await formerParty(dump, receiver.origin));
  await disconnect();
  const { databases, addresses } = await openGates(servers);
  const dataDir = newDataDir(0o700);
  const startInstance = async (instance: RunningInstance) => {
    instance.service = await startService(
      {
        ...{ ...addresses, SECRET, DATA_DIR: dataDir, PORT: new URL(instance.url).port, DATABASE_POOL: "6" },
        ...{ UNDO_SECONDS: "5", RATE_LIMIT: "0", ALLOW_PRIVATE_FETCH: receiver.origin },
        ...{ WEBHOOK_SCHEDULE: "0,1,1,1,2,2,2,3,3,3", COUNTERSIGN_TEST_CLOCK: instance.clockFile },
      },
      ["--import", pathToFileURL(join(import.meta.dirname, "movable-clock.mjs")).href],
      instance.isFormer && former ? join(former, "lib/cli/start-service.mjs") : undefined,
    );
  };
  const instances: RunningInstance[] = [];
  for (const number of [1, 2]) {
    const clockFile = join(folder, `clock-${number}`);
    writeFileSync(clockFile, "0");
    instances.push({
      number,
      url: `http://localhost:${await freePort()}`,
      clockFile,
      service: undefined,
      isFormer: former !== undefined,
      served: { former: 0, current: 0 },
    });
  }
  await Promise.all(instances.map(startInstance));
  return {
    ...{ parties, instances, databases, receiver, smallDisk, startInstance },
    hasFormer: former !== undefined,
    end: async () => {
      await Promise.all(instances.map(({ service }) => service?.stop()));
      receiver.close();
      await Promise.all(databases.map(({ gate }) => gate.end()));
      await servers.end();
      if (smallDisk) execFileSync("umount", [smallDisk]);
      removeDataDir(dataDir);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Mounts an in-memory folder of limited size, which only root may do. */
function mountSmallDisk(folder: string): string | undefined {
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=512m,mode=755", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    return undefined;
  }
}

async function openGates(servers: ShardServers) {
  const databases: Database[] = [];
  for (const [number, server] of [servers.directory, ...servers.shards].entries())
    databases.push({ number, server, gate: await aDatabaseGate(server.url) });
  const [directory = "", ...shards] = databases.map(({ gate }) => gate.url);
  const SHARDS = ["one", "two"].map((name, index) => `${name}=${shards[index]}`).join(" ");
  return { databases, addresses: { DATABASE_URL: directory, SHARDS } };
}

/** Creates two owners on each shard, each with an app, a session and a webhook. */
async function makeParties(origin: string): Promise<Party[]> {
  const parties: Party[] = [];
  while (parties.length < 2 * ownersOnEachShard) {
    const { owner, clientId, token } = await anAppWith(
      ...(["approvals:write", "approvals:read", "approvals:resolve"] as const),
      ...(["notifications:write", "notifications:read"] as const),
    );
    const database = shardOfOwner(owner.ownerId);
    if (parties.filter((party) => party.database === database).length === ownersOnEachShard) continue;
    const name = `owner ${parties.length + 1}`;
    parties.push({ ...(await connectParty(owner.ownerId, clientId, origin)), name, database, token });
  }
  return parties;
}

/**
 * Returns the owner, the app and the webhook of a release's dump, with the settings that the other
 * owners have.
 */
async function formerParty({ contents }: ReleaseDump, origin: string): Promise<Party> {
  const { ownerId, clientId, token, webhook } = contents;
  const owner = { kind: "owner", ownerId, fresh: true } as const;
  await changeSettings(owner, { undoSeconds: 5 });
  const path = `/${ownerId}`;
  await changeEndpoint(owner, webhook.id, hookAt(origin, path));
  const hook = { path, secret: webhook.secret };
  const name = formerOwner;
  return { ownerId, clientId, token, name, database: directoryShard, cookie: await signIn(ownerId), hook, contents };
}

/** Creates a session and a webhook. */
async function connectParty(ownerId: string, clientId: string, origin: string) {
  const path = `/${ownerId}`;
  const { secret } = await addEndpoint({ kind: "owner", ownerId }, clientId, hookAt(origin, path));
  return { ownerId, clientId, cookie: await signIn(ownerId), hook: { path, secret } };
}

const hookAt = (origin: string, path: string) => ({ url: `${origin}${path}`, types: webhookTypes as never });

/** Creates a session. @returns its cookie */
async function signIn(ownerId: string): Promise<Party["cookie"]> {
  const entrance = { ownerId, sessionVersion: 1 };
  const { id } = await createSession(entrance, { method: "password", userAgent: "Test", address: "127.0.0.1" });
  const value = await encode({ token: sessionClaims({ ...entrance, session: id }), secret: sessionSecret() });
  return { name: sessionCookie().name, value };
}
