import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { query } from "../temporary-postgres";
import { formerHistory } from "../upgrades/fill-database";
import { callsOf, type Run, send } from "./calls";
import { checkHistory, type Verdict } from "./checker";
import {
  arrivedEvents,
  endOfFeed,
  expectedWebhooks,
  firstOfFeed,
  readList,
  readStream,
  receiveWebhooks,
} from "./event-readers";
import { toLines } from "./history";
import { openPages } from "./pages";
import { random } from "./random";
import { type Recorder, startRecorder } from "./recorder";
import { runClient, runFreezes } from "./scenarios";
import { type Party, type Setup, setUp, type Upgrade } from "./setup";
import { causeTroubles } from "./troubles";

export type Options = Upgrade & {
  minutes: number;
  seed: number;
  say: (line: string) => void;
  isInterrupted: () => boolean;
};

const clients = 6;
/** Longer than an owner can undo an answer, in milliseconds. */
const heldMs = 6_000;
/** How long the end of a run may wait for readers and webhooks, in milliseconds. */
const catchUpMs = 90_000;

/**
 * Runs clients, pages and troubles, and checks the history.
 * @param file the file that receives the history
 */
export async function runHistory(options: Options, file: string): Promise<Verdict> {
  const setup = await setUp(options);
  const recorder = startRecorder();
  if (options.dump) for (const entry of formerHistory(options.dump.contents)) recorder.add(entry);
  try {
    await recordHistory(setup, recorder, options);
    // Ctrl-C also ends the instances, so that the history is incomplete.
    if (options.isInterrupted()) throw new Error("The run was interrupted, so its history was not checked.");
    const verdict = checkHistory(recorder.history);
    return setup.hasFormer ? withVersions(verdict, setup) : verdict;
  } finally {
    recorder.stop();
    writeFileSync(file, toLines(recorder.history));
    await setup.end();
  }
}

/** Adds how many requests each version served. Both must have served some. */
function withVersions({ problems, counts }: Verdict, { instances }: Setup): Verdict {
  const sum = (version: "former" | "current") => instances.reduce((all, { served }) => all + served[version], 0);
  const served = { "by former": sum("former"), "by this": sum("current") };
  const idle = Object.values(served).includes(0) ? ["One of the two versions served no request."] : [];
  return { problems: [...problems, ...idle], counts: { ...counts, ...served } };
}

async function recordHistory(setup: Setup, recorder: Recorder, options: Options): Promise<void> {
  const { minutes, seed, say, isInterrupted } = options;
  const endsAt = performance.now() + minutes * 60_000;
  let done = false;
  const isDone = () => done;
  const isOver = (aheadMs = 0) => done || isInterrupted() || performance.now() + aheadMs > endsAt;
  const isAborted = () => done || isInterrupted() || performance.now() > endsAt + catchUpMs;
  const run: Run = { recorder, instances: setup.instances, isOver, isAborted };

  const feeds = await startReaders(run, setup, seed, isDone);
  const addMessages = receiveWebhooks(run, setup, random(seed + 500));
  for (const instance of setup.instances)
    recorder.probe(async () => instance.service && (await send(instance, "/livez", {})));
  const [one, two, frozen] = rolesOf(setup);
  const [first, second] = setup.instances as [Setup["instances"][0], Setup["instances"][0]];
  const pages = await openPages(run, [
    { party: one, list: "inbox", instance: first },
    { party: two, list: "inbox", instance: second },
    { party: one, list: "notifications", instance: second },
    ...setup.parties
      .filter(({ contents }) => contents)
      .map((party) => ({ party, list: "notifications" as const, instance: first })),
  ]);
  const watching = pages.watch(isDone);
  try {
    const running = Array.from({ length: clients }, (_, nth) => {
      const party = setup.parties[nth % setup.parties.length] as Party;
      return runClient(run, party, random(seed + nth), nth + 1);
    });
    const freezing = runFreezes(run, frozen, random(seed + 600), () => renewSignIn(setup, frozen));
    await causeTroubles(run, setup, random(seed + 700), say);
    await Promise.all([...running, freezing]);
    // Answers that an owner could still undo now count.
    await sleep(heldMs);
    await readEverything(run, setup);
    await catchUp(run, setup, feeds);
  } finally {
    done = true;
    for (const feed of feeds) feed.stream.close();
    await Promise.all([watching, ...feeds.flatMap(({ list, stream }) => [list.ended, stream.ended])]);
    await pages.close();
    addMessages();
  }
}

/** Returns an owner on each shard whose pages are open, and another owner, whose apps are frozen. */
function rolesOf({ parties }: Setup): [one: Party, two: Party, frozen: Party] {
  const on = (shard: number) => parties.filter(({ database }) => database === shard) as [Party, Party];
  return [on(1)[0], on(2)[0], on(2)[1]];
}

const startReaders = (run: Run, { parties }: Setup, seed: number, isDone: () => boolean) =>
  Promise.all(
    parties.map(async (party, nth) => {
      const first = party.contents && (await firstOfFeed(run, party));
      const start = first?.id ?? (await endOfFeed(run, party));
      const list = readList(run, party, { choices: random(seed + 300 + nth), start, first, isDone });
      const stream = readStream(run, party, { choices: random(seed + 400 + nth), start, first, isDone });
      return { party, list, stream };
    }),
  );

/** Unfreezing requires a recent sign-in, and the owner signed in before a long run began. */
async function renewSignIn({ databases }: Setup, { database, ownerId }: Party): Promise<void> {
  const { url } = databases[database]!.server;
  await query(url, `UPDATE owner_session SET signed_in_at = now() WHERE owner_id = '${ownerId}'`).catch(() => {});
}

/** Reads all approvals at the end, twice. */
async function readEverything(run: Run, { parties }: Setup): Promise<void> {
  const reads = parties.flatMap((party, nth) =>
    [1, 2].map(async (time) => {
      const calls = callsOf(run, party, random(nth * 10 + time));
      for (let path = "/api/approvals?limit=100"; ; ) {
        const { outcome, body } = await calls.list("last", path);
        if (outcome !== "ok") {
          if (run.isAborted()) return;
          await sleep(300);
          continue;
        }
        if (!body.nextCursor) return;
        path = `/api/approvals?limit=100&cursor=${body.nextCursor}`;
      }
    }),
  );
  await Promise.all(reads);
}

/** Waits until all readers of each owner have the same events, and all webhooks have arrived. */
async function catchUp(run: Run, setup: Setup, feeds: Awaited<ReturnType<typeof startReaders>>): Promise<void> {
  const isComplete = () =>
    feeds.every(
      ({ party, list, stream }) =>
        list.reader.received === stream.reader.received &&
        performance.now() - Math.max(list.reader.lastAt, stream.reader.lastAt) > 2_000 &&
        arrivedEvents(setup, party) >= expectedWebhooks(run, list.reader),
    );
  while (!run.isAborted() && !isComplete()) await sleep(300);
}
