import { readFileSync } from "node:fs";
import {
  answerSimulated,
  Rules,
  type Simulated,
  type SimulatedQuestion,
  simulate,
  waitingFor,
} from "@/lib/approvals/simulated-owner";
import { findClient } from "@/lib/apps/apps";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { AppError, QuestionChanged } from "@/lib/errors";
import { subscribe } from "@/lib/events/pubsub";
import { FrozenQuestion } from "@/lib/frozen-errors";
import { plural } from "@/lib/text/plural";
import { validate } from "@/lib/text/validate";
import { loop } from "@/lib/work/loop";
import { type Command, fileNamed, noSuchApp, OperatorError, UsageError } from "./command";
import { ownerNamed } from "./owner-commands";

/** Polling interval, in milliseconds. Polling finds questions whose notification was lost. */
const lookMs = 1_000;

/**
 * Answers an owner's questions by rules, so that developers can test agents. The answers count as
 * the owner's, because agents may accept only an owner's answer. Every note says "Simulated". On a
 * service with a public address, the operator must confirm, and name the apps.
 */
export const simulateCommand: Command = {
  async run(given) {
    const { hostname } = new URL(env().publicUrl);
    if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) && !given.has("allow-remote"))
      throw new OperatorError(
        `Simulated answers could mislead people who rely on ${hostname}. To continue, confirm with --allow-remote.`,
      );
    const { rules } = readRules(given.one("rules") as string);
    const owner = await ownerNamed(given.one("owner"));
    const apps = given.all("app");
    if (apps.length === 0 && given.has("allow-remote"))
      throw new UsageError(
        "--allow-remote requires --app. Add --app for each app whose questions the command may answer.",
      );
    for (const id of apps) if (!(await findClient(id))) throw noSuchApp(id);
    const answered = await answerUntilStopped(owner, apps, rules);
    return { json: { answered }, text: `Answered questions: ${answered}.` };
  },
};

function readRules(file: string) {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(fileNamed(file), "utf8"));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code !== undefined;
    throw new OperatorError(
      missing
        ? `Can't read the file ${file}. Check its path and permissions.`
        : `The file ${file} is not valid JSON. Correct the file.`,
    );
  }
  return validate(Rules, json);
}

/**
 * Answers questions until the command is stopped.
 * @returns the number of answered questions
 */
async function answerUntilStopped(
  owner: Awaited<ReturnType<typeof ownerNamed>>,
  apps: readonly string[],
  rules: Parameters<typeof simulate>[0],
): Promise<number> {
  const seen = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let answered = 0;
  const stopped = new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  // Printed only once stopping works, because the reader may press Ctrl-C immediately.
  const whose = apps.length === 0 ? "every app's" : plural(apps.length, { one: "# app's", other: "# apps'" });
  process.stderr.write(
    `Using ${plural(rules.length, { one: "# rule", other: "# rules" })} to answer ${whose} questions to ${owner.email}. Press Ctrl-C to stop.\n`,
  );

  const give = async (asked: SimulatedQuestion, simulated: Simulated) => {
    try {
      await answerSimulated(owner, asked, simulated);
      answered++;
      const { optionId, otherText } = simulated.answer;
      process.stderr.write(`${asked.id}  rule ${simulated.rule}: ${optionId ?? otherText}\n`);
    } catch (error) {
      // Allows another attempt after an unexpected error or a freeze, or if the question changed.
      if (!(error instanceof AppError) || error instanceof QuestionChanged || error instanceof FrozenQuestion)
        seen.delete(asked.id);
      process.stderr.write(`Could not answer ${asked.id}: ${(error as Error).message}\n`);
    }
  };
  const looking = loop({
    first: 0,
    intervalMs: lookMs,
    subscribe: (wake) => subscribe(owner.ownerId, wake),
    failureMessage: "the database does not respond; the command will retry",
    run: async (stopping) => {
      for (const asked of await waitingFor(owner, apps)) {
        if (seen.has(asked.id) || stopping.aborted) continue;
        seen.add(asked.id);
        const simulated = simulate(rules, asked);
        if (simulated) timers.add(clock.setTimeout(() => void give(asked, simulated), simulated.delayMs));
      }
    },
  });
  await stopped;
  await looking.stop();
  for (const timer of timers) clearTimeout(timer);
  return answered;
}
