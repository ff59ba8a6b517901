import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { Countersign, VerificationError, verifyReceipt } from "../../public/client/countersign.js";

const { env } = process;
const given = (name) => env[`INPUT_${name.toUpperCase()}`]?.trim() || undefined;

/** A required input. */
function needed(name) {
  const value = given(name);
  if (value === undefined) throw new Error(`The input "${name}" is missing. Set the input in the workflow step.`);
  return value;
}

/** Appends to one of the files that GitHub reads. */
const write = (file, text) => file && appendFileSync(file, `${text}\n`);

function output(name, value = "") {
  const end = `end-${randomUUID()}`;
  write(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}`);
}

/** Escapes text for a workflow command, which ends at a line break. */
const oneLine = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Parses the options. Each line is an ID, a colon and a label. */
function options() {
  const lines = needed("options")
    .split("\n")
    .filter((line) => line.trim());
  return lines.map((line) => {
    const [, id, label] = /^\s*([\w.:-]+?)\s*:\s+(.*\S)\s*$/.exec(line) ?? [];
    if (!id) throw new Error(`The input "options" has an invalid line, "${line}". Write each line as "ID: LABEL".`);
    return { id, label };
  });
}

/** The question, with the workflow that asks it. */
function request(minutes) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT } = env;
  const run = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}/attempts/${GITHUB_RUN_ATTEMPT}`;
  const from = {
    ...{ repository: GITHUB_REPOSITORY, workflow: env.GITHUB_WORKFLOW, job: env.GITHUB_JOB, ref: env.GITHUB_REF },
    ...{ commit: env.GITHUB_SHA, actor: env.GITHUB_TRIGGERING_ACTOR, run },
  };
  const named = [
    ["Repository", from.repository],
    ["Ref", from.ref],
    ["Commit", from.commit],
    ["Started by", from.actor],
  ];
  const facts = named.flatMap(([label, value]) =>
    value?.trim() ? [{ label, value: [...unhidden(value.replaceAll(/\s+/g, " "))].slice(0, 200).join("") }] : [],
  );
  return {
    question: needed("question"),
    facts,
    options: options(),
    backgroundContext: `${given("context") ? `${given("context")}\n\n` : ""}\`\`\`json\n${unhidden(JSON.stringify(from, null, 2))}\n\`\`\``,
    ownerOnly: true,
    expiresAt: Date.now() + minutes * 60_000,
    ...(given("risk") && { risk: given("risk") }),
  };
}

/** Removes characters that could end the code block or hide text. */
function unhidden(text) {
  return text.replaceAll(/(?!\n)[\p{C}\p{M}\u2028\u2029]/gu, (it) =>
    [...Array(it.length).keys()].map((at) => `\\u${it.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** Asks, waits, and verifies the receipt of the expected option. */
async function ask(countersign) {
  const minutes = Number(needed("timeout-minutes"));
  if (!(minutes > 0)) throw new Error('The input "timeout-minutes" must be a number greater than 0');
  const question = request(minutes);
  const expected = needed("expect");
  if (!question.options.some(({ id }) => id === expected))
    throw new Error(`No option has the ID ${expected}. Correct the input "expect" or the input "options".`);
  const id = await countersign.approvals.create(question);
  output("approval-id", id);
  console.log(`Asked "${question.question}" (${id}). Waiting for the answer.`);

  // Slightly later than the deadline.
  const answer = await countersign.approvals.wait(id, { timeoutMs: minutes * 60_000 + 2_000 });
  const proven = answer.chosen === expected && (await prove(countersign, id, question, expected));
  if (proven && given("use-answer") !== "false") await use(countersign, id, proven.contentHash);
  output("approved", String(Boolean(proven)));
  for (const name of ["chosen", "text", "note"]) output(name, answer[name]);
  output("receipt", proven ? proven.jws : "");
  const label = question.options.find(({ id }) => id === answer.chosen)?.label;
  const said = [answer.text, answer.note].filter(Boolean).map((words) => `: ${words}`);
  const words = `The owner ${label === undefined ? "answered in their own words" : `chose "${label}"`}${said.join("")}`;
  write(env.GITHUB_STEP_SUMMARY, `${proven ? "✅" : "❌"} ${words.replaceAll(/[\\`*_<>[\]|#]/g, "\\$&")} (${id})`);
  if (!proven) throw new Error(words);
  // The answer is used, so a failed report must not stop the job.
  await countersign.approvals
    .report(id, { status: "started" })
    .catch((error) => console.log(`::warning title=Countersign::${oneLine(error.message)}`));
  console.log(words);
}

/** Uses the answer, so that it permits only this job. */
async function use({ approvals }, id, contentHash) {
  await approvals.use(id, contentHash).catch((error) => {
    const reason = error.details?.find((it) => it.reason)?.reason;
    if (reason === "withdrawn") throw new Error("The owner withdrew the answer.");
    if (reason === "used") throw new Error("Another program used the answer. To ask again, rerun the job.");
    throw error;
  });
}

/** Verifies the receipt. Returns the receipt and its content hash. */
async function prove({ approvals }, id, question, expected) {
  const [{ clientId, additions }, jws] = await Promise.all([approvals.get(id), approvals.receipt(id)]);
  const proven = await verifyReceipt(jws, {
    issuer: given("issuer") ?? new URL(needed("url")).origin,
    jwksUrl: new URL("/.well-known/jwks.json", needed("url")).href,
    audience: given("audience") ?? clientId,
    owner: given("owner") ?? String(JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url")).owner),
    allowSimulated: given("allow-simulated") === "true",
    approvalId: id,
    content: { ...question, additions },
  });
  if (!proven.yes(expected)) throw new VerificationError("The receipt does not contain the expected answer");
  return { jws, contentHash: proven.contentHash };
}

try {
  const countersign = new Countersign({ baseUrl: needed("url"), token: needed("token") });
  const id = given("approval-id");
  if (id) await countersign.approvals.report(id, { status: needed("outcome") === "success" ? "done" : "failed" });
  else await ask(countersign);
} catch (error) {
  console.log(`::error title=Countersign::${oneLine(error.message)}`);
  process.exitCode = 1;
}
