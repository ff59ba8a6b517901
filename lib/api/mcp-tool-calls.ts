import type { AppActor } from "@/lib/actor";
import { RawJson } from "@/lib/api-operation";
import { type ClaimResult, claimAnswer, submitDeduplicated } from "@/lib/approvals/deduplication";
import { submitApproval } from "@/lib/approvals/operations";
import { withoutSignature } from "@/lib/approvals/sign/without-signature";
import { readNumber } from "@/lib/approvals/statements/number-match";
import { canonicalJson } from "@/lib/client/canonical-json";
import { clock } from "@/lib/clock";
import { asAppError } from "@/lib/errors";
import { runIdempotent } from "@/lib/requests/idempotency";
import { withoutNulls } from "@/lib/text/validate";
import { alreadyAnswered, answerAlreadyClaimed, nextStepFor, type ToolApproval } from "./mcp-tool-messages";
import { defaultWait, maxWait, maxWaitWithoutProgress, type Tool } from "./mcp-tools";
import { parseInput, runOperation } from "./run-operation";

/** The connection between a running call and its client. */
export type Exchange = {
  /** Aborted when the client cancels the call or disconnects. */
  leaving: AbortSignal;
  /**
   * Reports progress. Undefined unless the client asked for progress, which shows that it can wait.
   */
  progress?: (seconds: number, of: number, message: string) => void;
};

/** The result of a tool, as text for a model and as data. */
export type ToolResult = { text: string; data: Record<string, unknown>; warnings: readonly string[] };

const progressEveryMs = 10_000;

/**
 * Calls a tool.
 * @param mayRead whether the app may read answers
 * @throws {AppError}
 */
export async function callTool(
  tool: Tool,
  app: AppActor,
  given: Record<string, unknown>,
  mayRead: boolean,
  exchange: Exchange,
): Promise<ToolResult> {
  const { own, input } = split(tool, given);
  const asking = { own, input, mayRead, exchange };
  if (tool.waitsFor === "answer") return (tool.op.waits ? ask : checkApproval)(tool, app, asking);
  const body = own.waitSeconds ? { ...input, wait: own.waitSeconds } : input;
  const leaving = () => exchange.leaving;
  const make = () => runOperation(tool.op, app, () => body, leaving);
  if (own.key === undefined) return asIs(await make());
  const { text, warnings } = await runIdempotent(app, tool.op.id, own.key, bytesOf(input), async () => {
    const { text, warnings } = await make();
    return { status: tool.op.status ?? 200, text, warnings };
  });
  return asIs(new RawJson(text, undefined, warnings));
}

type Own = { key?: string; waitSeconds?: number };
type ToolCall = { own: Own; input: Record<string, unknown>; mayRead: boolean; exchange: Exchange };

const asIs = ({ text, warnings }: RawJson): ToolResult => ({ text, data: JSON.parse(text), warnings });

async function ask({ op }: Tool, app: AppActor, { own, input, mayRead, exchange }: ToolCall): Promise<ToolResult> {
  const submit = async () => JSON.parse((await runOperation(op, app, () => input)).text) as { id: string };
  const { id, before } =
    own.key === undefined
      ? await submitDeduplicated(app, input, submit)
      : await askWithKey(app, op.id, own.key, input, submit);
  const sent: ToolApproval = { id, options: input.options as NonNullable<ToolApproval["options"]> };
  const match = input.match === undefined ? undefined : await numberOf(app, id, before, input.match);
  // The agent must show the number before anyone can answer, so the call that creates the question
  // doesn't wait.
  const wait = match !== undefined && !before ? { ...own, waitSeconds: 0 } : own;
  const approval = mayRead ? await waitUnlessGone(app, sent, wait, exchange) : sent;
  // With an idempotency key, every call gets the same answer. Without one, only the first call to
  // claim the answer gets it.
  const once = own.key === undefined && approval.resolution !== undefined;
  if (once && (await take(app, id, exchange)) !== "first")
    return withNext(answerAlreadyClaimed, { id, status: "resolved" });
  const again = before ? "You already asked this question, so the service did not ask the owner again. " : "";
  const { _id, clientId, question, facts, options, backgroundContext, recommendation, ...news } = approval;
  return withNext(again + nextStepFor(approval, match), { ...news, ...(match !== undefined && { match }) });
}

/**
 * Returns the number that the agent shows. A repeated question keeps its original number, if it had
 * one.
 */
const numberOf = async (app: AppActor, id: string, before: boolean, given: unknown): Promise<string | undefined> =>
  before ? readNumber({ ...app, needs: null }, id) : String(given);

async function askWithKey(
  app: AppActor,
  operation: string,
  key: string,
  input: Record<string, unknown>,
  submit: () => Promise<{ id: string }>,
) {
  const work = async () => ({ status: 201, text: JSON.stringify(await submit()) });
  // The comparison of repeated calls excludes the number, because the service may choose a new
  // number for each call.
  const { match: _, ...same } = input;
  const { text, replayed } = await runIdempotent(app, operation, key, bytesOf(same), work);
  return { ...(JSON.parse(text) as { id: string }), before: replayed };
}

/**
 * Waits for the answer and returns the approval. An app that may not read the answer gets only what
 * it sent. If the wait fails, for example during an outage, the approval is returned as pending,
 * because it already exists.
 * @throws {AppError} 401 if the token has ended
 */
async function waitUnlessGone(app: AppActor, sent: ToolApproval, own: Own, exchange: Exchange): Promise<ToolApproval> {
  const reader: AppActor = { ...app, needs: "approvals:read" };
  try {
    return await waitFor(reader, sent.id, own, exchange);
  } catch (error) {
    const known = asAppError(error);
    if (!known || known.status === 401) throw error;
    return known.status === 403 ? sent : { ...sent, status: "pending" };
  }
}

async function checkApproval({ op }: Tool, app: AppActor, { own, input, exchange }: ToolCall): Promise<ToolResult> {
  const { text } = await runOperation(op, app, () => input);
  const now = { id: String(input.id), ...(JSON.parse(text) as Partial<ToolApproval>) };
  const settled = now.status === "resolved" || now.deadlinePassed;
  const approval = settled ? now : await waitFor(app, now.id, own, exchange);
  const again = approval.resolution?.resolvedBy === "owner" && (await take(app, now.id, exchange)) === "again";
  return withNext(nextStepFor(approval) + (again ? ` ${alreadyAnswered}` : ""), approval);
}

/** Claims the answer for this call. An interrupted call claims no answer. */
const take = async (app: AppActor, id: string, { leaving }: Exchange): Promise<ClaimResult> =>
  leaving.aborted ? "unknown" : claimAnswer({ ...app, needs: null }, id);

/**
 * Returns an approval with the next step for the model. A signature is omitted, because it is long
 * and only programs verify it.
 */
const withNext = (next: string, { resolution, ...data }: Partial<ToolApproval>): ToolResult => ({
  text: next,
  data: { ...data, ...(resolution && { resolution: withoutSignature(resolution) }), next },
  warnings: [],
});

/** Returns the approval once it is answered or the wait times out. */
async function waitFor(reader: AppActor, id: string, own: Own, { leaving, progress }: Exchange): Promise<ToolApproval> {
  const seconds = Math.min(own.waitSeconds ?? defaultWait, progress ? maxWait : maxWaitWithoutProgress);
  const began = clock.elapsed();
  const tell = () =>
    progress?.(Math.round((clock.elapsed() - began) / 1000), seconds, `Waiting for the owner to answer ${id}`);
  if (seconds > 0) tell();
  const telling = clock.setInterval(tell, progressEveryMs);
  try {
    const { text } = await submitApproval.waits!.run(reader, { id }, seconds, () => leaving);
    return JSON.parse(text) as ToolApproval;
  } finally {
    clearInterval(telling);
  }
}

/**
 * Splits a call's arguments into the tool's own and the operation's, and validates both.
 * @throws {AppError} 400
 */
function split({ own, op }: Tool, given: Record<string, unknown>): { own: Own; input: Record<string, unknown> } {
  const names = Object.keys(own.shape);
  const mine = Object.entries(given).filter(([name]) => names.includes(name));
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  // Normalizes aliases and empty values, so that a repeated call with the same idempotency key
  // matches the first.
  const input = withoutNulls(op.input, op.tool?.aliases?.normalize(others) ?? others);
  parseInput(op.input, input, () => ({ also: names }));
  return { own: parseInput(own, Object.fromEntries(mine)) as Own, input };
}

const bytesOf = (input: Record<string, unknown>) => Buffer.from(canonicalJson(input));
