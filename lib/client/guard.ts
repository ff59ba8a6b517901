import { fromBase64Url } from "./base64";
import {
  type ApprovalRequest,
  type AskRequest,
  type Countersign,
  CountersignError,
  type ReceiptChecks,
  VerificationError,
  verifyReceipt,
} from "./countersign";

/** The receipt's expected claims and keys; see `guard`. */
export type ExpectedReceipt = Partial<
  Pick<ReceiptChecks, "issuer" | "audience" | "owner" | "jwks" | "jwksUrl" | "allowSimulated">
>;

export type GuardOptions = Pick<AskRequest, "timeoutMs" | "onQuestion"> & {
  /**
   * Identifies the action. A program that restarts within 24 hours waits for the same answer if the
   * key is the same.
   */
  key: string;
  /** The ID of the option that permits the action; `approve` by default. */
  option?: string;
  /**
   * The claims that the receipt must have, and the keys that verify it. By default, the claims are
   * the service at `baseUrl`, the app that asked, and the owner that the receipt names.
   */
  receipt?: ExpectedReceipt;
  signal?: AbortSignal | undefined;
};

type Stop = { signal?: AbortSignal | undefined };

/** Thrown if a guarded action or a tool did not run. The message is for the person or the model. */
export class ToolNotRunError extends Error {
  constructor(
    message: string,
    /** The approval's ID. */
    readonly id: string,
  ) {
    super(message);
    this.name = "ToolNotRunError";
  }
}

/**
 * Performs an action only with the owner's approval, and at most once: asks, verifies the receipt,
 * uses the answer, runs `work`, and reports the outcome. If the program ends after the answer was
 * used, the next start does not run `work` again.
 * @param work receives the values that the owner allowed, if the option takes fields
 * @throws {TypeError} without a key, or if the question does not have the option
 * @throws {ToolNotRunError} if the owner did not approve, withdrew the answer, or the answer was
 *   already used
 * @throws {NoAnswerError} after `timeoutMs`, or when the deadline passes
 * @throws {VerificationError} if the receipt is not the owner's approval of exactly this question
 * @throws {CountersignError} and the errors of `work`
 */
export async function guard<T>(
  client: Countersign,
  question: ApprovalRequest,
  work: (values: Record<string, unknown> | undefined) => T | Promise<T>,
  { key, option = "approve", receipt, timeoutMs, onQuestion, signal }: GuardOptions,
): Promise<T> {
  if (!key) throw new TypeError("The guarded action must have a key");
  if (!question.options.some(({ id }) => id === option))
    throw new TypeError(`The question has no option "${option}". Pass the ID of the option that permits the action`);
  const id = await client.approvals.create(question, { key, signal });
  const answer = await client.approvals.wait(id, {
    signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onQuestion && { onQuestion }),
  });
  if (answer.chosen !== option) throw new ToolNotRunError("The owner did not approve this action.", id);
  const proven = await prove(client, id, { question, option, ...(receipt && { receipt }), signal });
  await begin(client, id, proven, { signal });
  return finish(client, id, () => work(proven.values));
}

/**
 * What `prove` found: the values that the owner allowed, and whether an earlier attempt used the
 * answer or reported an outcome.
 */
export type Proven = { contentHash: string; begun: boolean; values: Record<string, unknown> | undefined };

/**
 * Verifies that an approval's receipt is the owner's choice of `option` for exactly this question.
 * @throws {VerificationError} if it is not
 */
export async function prove(
  { approvals, connection }: Countersign,
  id: string,
  given: { question: ApprovalRequest; option: string; receipt?: ExpectedReceipt } & Stop,
): Promise<Proven> {
  const { question, option, signal } = given;
  const [{ clientId, additions, outcome, usedAt }, jws] = await Promise.all([
    approvals.get(id, { signal }),
    approvals.receipt(id, { signal }),
  ]);
  const receipt = await verifyReceipt(jws, {
    issuer: new URL(connection.baseUrl).origin,
    jwksUrl: new URL("/.well-known/jwks.json", connection.baseUrl).href,
    audience: clientId,
    owner: claimedOwner(jws),
    ...(connection.fetch && { fetch: connection.fetch }),
    ...(connection.allowSimulated && { allowSimulated: true }),
    ...given.receipt,
    approvalId: id,
    content: { ...question, additions },
  });
  if (!receipt.yes(option)) throw new VerificationError("The receipt does not contain the expected answer");
  return {
    contentHash: receipt.contentHash,
    begun: outcome !== undefined || usedAt !== undefined,
    values: receipt.resolution.values,
  };
}

/**
 * Uses the answer, and reports to the owner that the action has started.
 * @throws {ToolNotRunError} if the answer was already used or withdrawn
 */
export async function begin(
  client: Countersign,
  id: string,
  { contentHash, begun, values }: Proven,
  stop: Stop,
): Promise<void> {
  if (begun) throw new ToolNotRunError(mayHaveRun, id);
  await client.approvals.use(id, contentHash, { ...stop, values }).catch((error) => {
    const reason = error instanceof CountersignError ? error.details.find((it) => it.reason)?.reason : undefined;
    if (reason === "used") throw new ToolNotRunError(mayHaveRun, id);
    if (reason === "withdrawn") throw new ToolNotRunError("The owner withdrew the approval of this call.", id);
    throw error;
  });
  // The answer is used, so a failed report must not stop the action.
  await client.approvals.report(id, { status: "started" }, stop).catch(() => undefined);
}

const mayHaveRun = "An earlier attempt at this call may have taken effect, so the call was not run again.";

/** Runs `work` and reports its outcome. @throws the errors of `work` */
export async function finish<T>(client: Countersign, id: string, work: () => T | Promise<T>): Promise<T> {
  let value: T;
  try {
    value = await work();
  } catch (error) {
    await reportOutcome(client, id, "failed", error instanceof Error ? error.message : String(error));
    throw error;
  }
  await reportOutcome(client, id, "done");
  return value;
}

/**
 * Reports the outcome to the owner. A failed report does not throw, because the action has run and
 * must not seem to have failed.
 */
export async function reportOutcome(
  { approvals: { report } }: Countersign,
  id: string,
  status: "done" | "failed",
  text = "",
): Promise<void> {
  const words = text.replaceAll(/(?!\n)\p{C}/gu, " ").slice(0, 1_000);
  await report(id, { status, ...(words.trim() && { text: words }) })
    .catch((error) => (error instanceof CountersignError && error.status === 400 ? report(id, { status }) : undefined))
    .catch(() => undefined);
}

/** Returns the owner that a receipt names. Nothing in the receipt is verified yet. */
function claimedOwner(jws: string): string {
  try {
    return String(JSON.parse(new TextDecoder().decode(fromBase64Url(jws.split(".")[1] ?? ""))).owner);
  } catch {
    throw new VerificationError("The receipt is not a compact JWS");
  }
}
