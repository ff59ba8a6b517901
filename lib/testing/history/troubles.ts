import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "@/lib/postgres/postgres-server";
import { kill, restart } from "../shards/shard-servers";
import { withTestClient } from "../temporary-postgres";
import { type Run, send } from "./calls";
import type { Random } from "./random";
import type { Database, RunningInstance, Setup } from "./setup";

/** What a trouble affects, and its description. */
type Affected = { name: string; instances?: RunningInstance[]; databases?: Database[] };
/** A trouble in progress. `end` ends it, and resolves before everything has recovered. */
type Begun = Affected & { end(): Promise<unknown> };
type Kind = (setup: Setup, choices: Random) => Promise<Begun>;

const nothing = async () => {};
const nameOf = ({ number }: Database) => (number === 0 ? "the directory" : `shard ${number}`);

/** Kills an instance, and starts it again. */
const killInstance: Kind = async (setup, choices) => {
  const instance = choices.pick(setup.instances);
  instance.service?.child.kill("SIGKILL");
  await instance.service?.ended;
  instance.service = undefined;
  await sleep(choices.between(500, 2000));
  return {
    name: `Killed instance ${instance.number}`,
    instances: [instance],
    end: () => setup.startInstance(instance),
  };
};

const crashPostgres: Kind = async (setup, choices) => {
  const database = choices.pick(setup.databases);
  kill(database.server);
  await sleep(choices.between(500, 2000));
  const end = async () => {
    while (await isRunning(database.server.instance)) await sleep(100);
    await restart(database.server);
  };
  return { name: `Stopped PostgreSQL of ${nameOf(database)} immediately`, databases: [database], end };
};

const cutConnections: Kind = async (setup, choices) => {
  const database = choices.pick(setup.databases);
  await withTestClient(database.server.url, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    ),
  );
  return { name: `Cut all connections to ${nameOf(database)}`, databases: [database], end: nothing };
};

const freezeInstance: Kind = async (setup, choices) => {
  const instance = choices.pick(setup.instances);
  instance.service?.child.kill("SIGSTOP");
  await sleep(choices.between(2000, 6000));
  const end = async () => instance.service?.child.kill("SIGCONT");
  return { name: `Froze instance ${instance.number}`, instances: [instance], end };
};

const freezePostgres: Kind = async (setup, choices) => {
  const database = choices.pick(setup.databases);
  const processes = processesOf(database);
  for (const pid of processes) signal(pid, "SIGSTOP");
  await sleep(choices.between(2000, 6000));
  const end = async () => {
    for (const pid of processes) signal(pid, "SIGCONT");
  };
  return { name: `Froze PostgreSQL of ${nameOf(database)}`, databases: [database], end };
};

/** Returns the process IDs of a PostgreSQL server, the first process first. */
function processesOf({ server }: Database): number[] {
  const first = readFileSync(join(server.instance.data, "postmaster.pid"), "utf8").split("\n")[0] ?? "";
  const others = readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1] === first;
    } catch {
      return false;
    }
  });
  return [first, ...others].map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/** Moves an instance's clock by up to ten minutes. It affects nothing. */
const moveClock: Kind = async (setup, choices) => {
  const instance = choices.pick(setup.instances);
  const minutes = choices.pick([-10, -3, 3, 10]);
  const set = (ms: number) => {
    writeFileSync(instance.clockFile, String(ms));
    instance.service?.child.kill("SIGUSR2");
  };
  set(minutes * 60_000);
  await sleep(choices.between(4000, 8000));
  const direction = minutes > 0 ? "forward" : "back";
  const name = `Moved the clock of instance ${instance.number} ${direction} by ${Math.abs(minutes)} minutes`;
  return { name, end: async () => set(0) };
};

/** Fills the disk of shard 2. */
const fillDisk: Kind = async (setup, choices) => {
  const { smallDisk = "", databases } = setup;
  const database = databases.at(-1) as Database;
  const ballast = join(smallDisk, "ballast");
  fill(ballast);
  await sleep(choices.between(3000, 6000));
  const end = async () => {
    rmSync(ballast);
    if (!(await isRunning(database.server.instance))) await restart(database.server);
  };
  return { name: "Filled the disk of shard 2", databases: [database], end };
};

/** Writes a file until the disk is full. */
function fill(file: string): void {
  const descriptor = openSync(file, "w");
  // At the end in small pieces, because PostgreSQL writes meanwhile.
  for (const size of [2 ** 22, 2 ** 12]) {
    const piece = Buffer.alloc(size);
    try {
      while (writeSync(descriptor, piece) > 0);
    } catch {
      // The disk has less space than this.
    }
  }
  closeSync(descriptor);
}

const closeGate: Kind = async (setup, choices) => {
  const database = choices.pick(setup.databases.slice(1));
  database.gate.close();
  await sleep(choices.between(10_000, 20_000));
  return { name: `Disconnected ${nameOf(database)}`, databases: [database], end: async () => database.gate.open() };
};

/**
 * Replaces an instance by one of the other version, in turn: first both become instances of this
 * version, then of the former one again, and so on.
 */
function switchVersions(): Kind {
  let count = 0;
  return async (setup) => {
    const instance = setup.instances[count++ % setup.instances.length] as RunningInstance;
    await instance.service?.stop();
    instance.service = undefined;
    instance.isFormer = !instance.isFormer;
    const name = `Switched instance ${instance.number} to ${instance.isFormer ? "the former" : "this"} version`;
    return { name, instances: [instance], end: () => setup.startInstance(instance) };
  };
}

const everywhere = [killInstance, crashPostgres, cutConnections, freezeInstance, moveClock, closeGate];
/** How long everything works between two troubles, in milliseconds, so that pages are checked. */
const calmMs = 7_000;

/** Returns the kinds of troubles that this machine can cause. With two versions, only switches between them. */
function kindsOf(setup: Setup, say: (line: string) => void): Kind[] {
  if (setup.hasFormer) return [switchVersions()];
  const kinds = [...everywhere];
  if (setup.smallDisk) kinds.push(fillDisk);
  else say("Skipped the full disk: only root can mount a folder of limited size, on Linux.");
  if (process.platform === "linux") kinds.push(freezePostgres);
  else say("Skipped the frozen PostgreSQL: its processes can be found only on Linux.");
  return kinds;
}

/**
 * Causes one trouble after another, each kind once before any repeats, until the run is over. Each
 * ends only when all that it affected works again.
 */
export async function causeTroubles(
  run: Run,
  setup: Setup,
  choices: Random,
  say: (line: string) => void,
): Promise<void> {
  const deck = kindsOf(setup, say);
  for (let left: Kind[] = []; !run.isOver(); ) {
    if (left.length === 0) left = choices.shuffle(deck);
    for (let waited = 0; waited < calmMs && !run.isOver(); waited += 500) await sleep(500);
    const kind = left.pop();
    if (!kind || run.isOver()) return;
    const began = run.recorder.now();
    const begun = await kind(setup, choices);
    await begun.end();
    const { name, instances = [], databases = [] } = begun;
    // An owner's requests also need the directory.
    const isHit = (database: number) => databases.some(({ number }) => number === database || number === 0);
    const parties = setup.parties.filter((party) => isHit(party.database));
    await recovered(run, setup, instances, parties);
    const ended = run.recorder.now();
    const owners = parties.map((party) => party.name);
    run.recorder.add({ op: "trouble", name, instances: instances.map(({ number }) => number), owners, began, ended });
    say(`${name}: recovered ${((ended.at - began.at) / 1000).toFixed(1)} s after it began`);
  }
}

/** Waits until instances serve all owners, and all instances serve some owners. */
async function recovered(run: Run, setup: Setup, instances: RunningInstance[], parties: Setup["parties"]) {
  const pairs = setup.instances.flatMap((instance) =>
    setup.parties
      .filter((party) => instances.includes(instance) || parties.includes(party))
      .map((party) => ({ instance, party })),
  );
  const works = async ({ instance, party }: (typeof pairs)[number]) => {
    const headers = { authorization: `Bearer ${party.token}` };
    const { status } = await send(instance, "/api/approvals?limit=1", { headers });
    return status > 0 && status < 500;
  };
  while (!run.isAborted() && !(await Promise.all(pairs.map(works))).every(Boolean)) await sleep(100);
}
