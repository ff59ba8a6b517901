import { createHmac, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Answer } from "@/lib/client/answer";
import { type AskRequest, ask } from "@/lib/client/ask";
import { NoAnswerError } from "@/lib/client/errors";
import type { Calls } from "@/lib/client/http-calls";
import { clock } from "@/lib/clock";
import {
  type Command,
  type CommandOptions,
  type CommandResult,
  fileNamed,
  OperatorError,
  UsageError,
} from "../command";
import { refused, remoteCalls } from "./api-client";
import { parseFields, valueLines } from "./ask-fields";

/**
 * Exit statuses of `--wait`, for scripts. 0 means that the owner chose an option; with `--expect`,
 * the expected one.
 */
export const askStatus = { byApi: 3, notAnswered: 4, ownWords: 5, notExpected: 6 } as const;

/** Delay before the command tells a person at the terminal where to answer, in milliseconds. */
const noticeMs = 10_000;

/**
 * Asks the owner a question, from a script on any machine. The command acts as an app with a token,
 * and calls the service over HTTP.
 */
export const askCommand: Command = {
  behind: "nothing",
  async run(given, [question = ""]) {
    const asking = content(given, question);
    const timeout = given.one("timeout");
    if (timeout !== undefined && !/^\d{1,7}$/.test(timeout))
      throw new UsageError("--timeout must be a whole number of seconds.");
    if (!given.has("wait") && (given.has("timeout") || given.has("expect")))
      throw new UsageError("--timeout and --expect require --wait.");
    const expected = given.one("expect");
    if (expected !== undefined && !asking.options.some(({ id }) => id === expected))
      throw new UsageError(`No option has the ID ${expected}. Correct --expect, or add --option ${expected}.`);
    if (given.has("match") && given.one("risk") !== "high") throw new UsageError("--match requires --risk high.");
    const key = given.one("key");
    const allowSimulated = given.has("allow-simulated") || process.env.COUNTERSIGN_ALLOW_SIMULATED === "1";
    const calls = remoteCalls(given, "scopes approvals:write and approvals:read", { allowSimulated });
    const wanted = given.has("match") ? withNumber(asking, key, calls) : asking;
    if (!given.has("wait")) return submitted(calls, wanted, key);
    const asked = { ...wanted, ...(key && { key }), ...(timeout && { timeoutMs: Number(timeout) * 1000 }) };
    return waited(calls, asked, expected);
  },
};

function content(given: CommandOptions, question: string) {
  const labels = new Map<string, string>();
  const ids = given.all("option");
  for (const each of given.all("label")) {
    // An ID may contain "=", so the longest matching ID is used.
    const known = ids.filter((id) => each.startsWith(`${id}=`)).sort((a, b) => b.length - a.length);
    const id = known[0] ?? each.replace(/=.*/s, "");
    const label = each.slice(id.length + 1);
    if (!id || !label) throw new UsageError("--label must have the form ID=TEXT.");
    labels.set(id, label);
  }
  const dangers = given.all("danger");
  const fields = parseFields(given.all("field"));
  const taking = given.all("fields-for");
  if (taking.length > 0 && !fields) throw new UsageError("--fields-for requires --field.");
  const options = ids.map((id, index) => ({
    id,
    label: labels.get(id) ?? id,
    ...(dangers.includes(id) && { style: "danger" as const }),
    ...(fields && (taking.length > 0 ? taking.includes(id) : index === 0) && { fields: true }),
  }));
  for (const [name, named] of [
    ["label", [...labels.keys()]],
    ["danger", dangers],
    ["fields-for", taking],
  ] as const) {
    const unknown = named.find((id) => !ids.includes(id));
    if (unknown !== undefined)
      throw new UsageError(`No option has the ID ${unknown}. Correct --${name}, or add --option ${unknown}.`);
  }
  const facts = given.all("fact").map((each) => {
    const [, label, value] = /^(.+?)=(.+)$/s.exec(each) ?? [];
    if (label === undefined || value === undefined) throw new UsageError("--fact must have the form LABEL=VALUE.");
    return { label, value };
  });
  const [context, recommendation, risk] = [given.one("context"), given.one("recommend"), given.one("risk")];
  return {
    question,
    options,
    ...(facts.length > 0 && { facts }),
    ...(fields && { fields }),
    ...(context !== undefined && { backgroundContext: readContext(context) }),
    ...(recommendation !== undefined && { recommendation }),
    ...(risk !== undefined && { risk: risk as AskRequest["risk"] }),
  };
}

function readContext(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : fileNamed(file), "utf8");
  } catch {
    throw new OperatorError(`Can't read the file ${file}. Check its path and permissions.`);
  }
}

/**
 * Adds a number to the question, and prints it for the person at this terminal. Calls with the same
 * key and token get the same number, because a repeated request must not differ. Without the token,
 * no one can compute the number.
 */
function withNumber<Asked extends object>(asking: Asked, key: string | undefined, { connection }: Calls) {
  const digest = key && createHmac("sha256", String(connection.token)).update(key).digest();
  const match = String(digest ? digest.readUInt32BE() % 100 : randomInt(100)).padStart(2, "0");
  process.stderr.write(`Number: ${match}. Pick this number before you answer.\n`);
  return { ...asking, match };
}

async function submitted(calls: Calls, body: object, key = crypto.randomUUID() as string): Promise<CommandResult> {
  const { value } = await calls
    .json<{ id: string }>({ method: "POST", path: "/api/approvals", body, key })
    .catch(refused);
  return { json: { id: value.id }, text: value.id };
}

async function waited(calls: Calls, question: AskRequest, expected: string | undefined): Promise<CommandResult> {
  const { baseUrl, allowSimulated = false } = calls.connection;
  let notice: NodeJS.Timeout | undefined;
  const onAsked = (id: string) => {
    const page = new URL(`/approvals/${id}`, baseUrl);
    const say = () => process.stderr.write(`Waiting for the owner to answer at ${page}\n`);
    notice = clock.setTimeout(say, noticeMs);
  };
  try {
    return resultOf(await ask(calls, { ...question, onAsked }), expected, allowSimulated);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) return refused(error);
    const id = error.id ? { id: error.id } : {};
    const next = question.key ? " To continue waiting, repeat the command with the same --key." : "";
    const aside = error.id
      ? `The owner did not answer in time. The question ${error.id} is still pending.${next}`
      : `The service did not confirm the question before the timeout.${next}`;
    return { json: { ...id, answered: false }, text: "", aside, status: askStatus.notAnswered };
  } finally {
    clearTimeout(notice);
  }
}

/**
 * Returns the command's result. stdout contains only the chosen option's ID and the values, or the
 * answer's own words.
 */
function resultOf(answer: Answer, expected: string | undefined, allowSimulated: boolean): CommandResult {
  const { id, resolution, chosen, text: words, values, by, simulated } = answer;
  const text = [chosen ?? words ?? "", ...valueLines(values)].join("\n");
  const outcome = { json: { id, answered: true, resolution }, text };
  if (by !== "owner")
    return {
      ...outcome,
      aside: "The answer came from an app through the API, not from the owner.",
      status: askStatus.byApi,
    };
  if (simulated && !allowSimulated)
    return {
      ...outcome,
      aside: "The answer is simulated, and not from the owner. To accept simulated answers, use --allow-simulated.",
      status: askStatus.byApi,
    };
  if (chosen === undefined) return { ...outcome, status: askStatus.ownWords };
  return expected !== undefined && chosen !== expected ? { ...outcome, status: askStatus.notExpected } : outcome;
}
