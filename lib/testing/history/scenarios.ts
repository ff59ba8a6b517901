import { setTimeout as sleep } from "node:timers/promises";
import type { Contents } from "../upgrades/fill-database";
import { type Calls, callsOf, type Run } from "./calls";
import { entriesOf } from "./history";
import type { Random } from "./random";
import type { Party } from "./setup";

/** The time until a deadline. The service requires at least ten seconds. */
const deadlineMs = 10_500;

/** One client's means: its calls, its choices, and a new name for each question. */
type Client = { calls: Calls; choices: Random; name: () => string };

/** Runs an app and its owner's answers, until the run is over. */
export async function runClient(run: Run, party: Party, choices: Random, number: number): Promise<void> {
  const calls = callsOf(run, party, choices);
  let nth = 0;
  const client: Client = { calls, choices, name: () => `q${number}-${++nth}` };
  if (party.contents) await continueFormer(client, party.contents);
  while (!run.isOver()) {
    const scenario = choices.pick([byApp, byApp, byOwner, byOwner, atTheSameTime, withDeadline, withAdditions]);
    // All deadlines pass before the last reads.
    const isTooLate = scenario === withDeadline && run.isOver(deadlineMs + 1000);
    await (isTooLate ? byApp : scenario)(client);
    if (choices.chance(0.5)) await calls.push(`n${number}-${++nth}`);
    if (choices.chance(0.3)) await calls.list();
    await sleep(choices.between(50, 400));
  }
}

/**
 * Uses the answers of a release's dump, and answers its pending questions. Repeats its uses, which
 * must return the same receipts.
 */
async function continueFormer({ calls, choices }: Client, { history }: Contents): Promise<void> {
  const optionId = "ship";
  for (const { id, key } of entriesOf(history, "use")) await calls.use(id, key);
  const answered = new Set(entriesOf(history, "answer").map(({ id }) => id));
  for (const { id = "" } of entriesOf(history, "ask")) {
    await calls.read(id);
    if (answered.has(id)) await calls.use(id, `${id}k`);
    else if (choices.chance(0.5)) await calls.resolve(id, `${id}a`, undefined, optionId);
    else {
      const page = await calls.open(id);
      if (page && (await calls.answer(id, `${id}o`, page, [], optionId)) === "ok") await calls.sendNow(id);
    }
    await calls.read(id);
  }
}

/** The app answers, once or several times at the same time. */
async function byApp({ calls, choices, name }: Client): Promise<void> {
  const question = name();
  const id = await calls.ask(question, {});
  if (!id) return;
  await calls.read(id);
  const answers = choices.chance(0.4) ? ["a", "b", "c"] : ["a"];
  await Promise.all(answers.map((letter) => calls.resolve(id, `${question}${letter}`)));
  await calls.read(id);
  if (choices.chance(0.2)) await calls.resolve(id, `${question}z`);
}

/** Opens the owner's page and answers there. Repeats this until the outcome is known. */
async function answerOnPage({ calls }: Client, id: string, note: string, additions: string[] = []): Promise<boolean> {
  for (let nth = 1; nth <= 20; nth++) {
    const page = await calls.open(id);
    if (!page) return false;
    const seen = additions.filter((text) => page.text.includes(text));
    const outcome = await calls.answer(id, `${note}${nth}`, page, seen);
    if (outcome !== "unknown") return outcome === "ok";
    await sleep(300);
  }
  return false;
}

/** The owner answers, perhaps after an undo. Then the answer is used or withdrawn, or both are tried. */
async function byOwner(client: Client): Promise<void> {
  const { calls, choices, name } = client;
  const question = name();
  const id = await calls.ask(question, { once: choices.chance(0.7) });
  if (!id) return;
  const waiting = choices.chance(0.5) ? calls.wait(id, 8) : undefined;
  if (await answerOnPage(client, id, `${question}o`)) {
    if (choices.chance(0.3)) {
      await sleep(choices.between(0, 300));
      await calls.undo(id);
      await calls.read(id);
      await answerOnPage(client, id, `${question}p`);
    }
    if (choices.chance(0.7)) await calls.sendNow(id);
  }
  const seen = await calls.wait(id, 8);
  await waiting;
  if (seen?.status !== "resolved") return settle(client, id, question);
  const keys = choices.chance(0.3) ? [`${question}k`, `${question}l`] : [`${question}k`];
  await Promise.all([
    ...(choices.chance(0.4) ? [calls.withdraw(id)] : []),
    ...(choices.chance(0.8) ? keys.map((key) => calls.use(id, key)) : []),
  ]);
  await calls.read(id);
}

/** The app and the owner answer at the same time. */
async function atTheSameTime(client: Client): Promise<void> {
  const { calls, choices, name } = client;
  const question = name();
  const id = await calls.ask(question, {});
  if (!id) return;
  const page = await calls.open(id);
  await Promise.all([
    page && calls.answer(id, `${question}o`, page, []).then(() => calls.sendNow(id)),
    sleep(choices.between(0, 60)).then(() => calls.resolve(id, `${question}a`)),
    calls.read(id),
  ]);
  await settle(client, id, question);
}

/** The deadline passes, sometimes with a default, and sometimes someone answers just then. */
async function withDeadline(client: Client): Promise<void> {
  const { calls, choices, name } = client;
  const question = name();
  const deadline = Date.now() + deadlineMs;
  const id = await calls.ask(question, { deadline, defaultOption: choices.chance(0.5) ? "no" : undefined });
  if (!id || choices.chance(0.6)) return;
  // The client goes on meanwhile.
  void sleep(deadline - Date.now() + choices.between(-150, 50)).then(() => calls.resolve(id, `${question}a`, 1));
}

/** The app adds texts while the owner answers. */
async function withAdditions(client: Client): Promise<void> {
  const { calls, choices, name } = client;
  const question = name();
  const id = await calls.ask(question, {});
  if (!id) return;
  const [first, second] = [`${question}x added`, `${question}y added`];
  await calls.addText(id, first);
  const page = await calls.open(id);
  const seen = [first, second].filter((text) => page?.text.includes(text));
  await Promise.all([
    page && calls.answer(id, `${question}o`, page, seen).then(() => calls.sendNow(id)),
    choices.chance(0.6) && sleep(choices.between(0, 60)).then(() => calls.addText(id, second)),
  ]);
  await calls.read(id);
  if (choices.chance(0.5)) await answerOnPage(client, id, `${question}p`, [first, second]);
  await settle(client, id, question);
}

/** Answers a question that is still pending, so that the inbox stays short. */
async function settle({ calls }: Client, id: string, question: string): Promise<void> {
  const seen = await calls.read(id);
  if (seen?.status !== "resolved") await calls.resolve(id, `${question}s`);
}

/**
 * Freezes an owner's apps for some seconds, again and again.
 * @param renew renews the owner's sign-in, which must be recent
 */
export async function runFreezes(run: Run, party: Party, choices: Random, renew: () => Promise<void>): Promise<void> {
  const calls = callsOf(run, party, choices);
  const surely = async (isFrozen: boolean) => {
    do await renew();
    while (!(await calls.setFrozen(isFrozen)) && !run.isAborted() && (await sleep(500, true)));
  };
  while (!run.isOver()) {
    for (let waited = 0; waited < 12_000 && !run.isOver(); waited += 500) await sleep(500);
    if (run.isOver()) return;
    await surely(true);
    await sleep(choices.between(500, 3000));
    await surely(false);
  }
}
