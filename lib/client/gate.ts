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
import { factsOf } from "./tool-call-facts";
import { safeJson } from "./visible-json";

/**
 * A tool call by a model. `id` is the model's ID for the call, and stays the same when the program
 * restarts.
 */
export type ToolCall = { id: string; name: string; input: unknown };

/**
 * A gate's options. For the same call, the functions must always return the same values, because a
 * repeated call must match the question that the owner answered.
 */
export type GateOptions = {
  /** The headline; by default, "Run NAME?". The complete arguments appear below it. */
  question?: (call: ToolCall) => string;
  /** Up to six facts; by default, the call's arguments. */
  facts?: (call: ToolCall) => ApprovalRequest["facts"];
  risk?: ApprovalRequest["risk"] | ((call: ToolCall) => ApprovalRequest["risk"]);
  /**
   * The conversation's name. Required for models that number their calls from zero in each
   * conversation.
   */
  thread?: string;
  /** How long to wait for the answer, in milliseconds; indefinitely by default. */
  timeoutMs?: number;
  /** Receives the owner's question and may return a reply. */
  onQuestion?: AskRequest["onQuestion"];
  /**
   * Stores the approvals' IDs. Without a store, a program that restarts more than 24 hours after a
   * question asks the owner again about the same call.
   */
  store?: {
    get(key: string): string | undefined | Promise<string | undefined>;
    set(key: string, id: string): unknown;
  };
  /**
   * The claims that the receipt must have, and the keys that verify it. By default, the claims are
   * the service at `baseUrl`, the app that asked, and the owner that the receipt names.
   */
  receipt?: Partial<Pick<ReceiptChecks, "issuer" | "audience" | "owner" | "jwks" | "jwksUrl" | "allowSimulated">>;
};

/** The decision on a tool call. `reason` is text for the model. */
export type Decision = { id: string; approved: true } | { id: string; approved: false; reason: string };

type Stop = { signal?: AbortSignal | undefined };

/** Thrown if a tool did not run. The message is for the model. */
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
 * Guards an agent's tools. The owner sees a call with all its arguments, and an approved call runs
 * at most once, exactly as shown. This holds even if the program restarts, because the service
 * stores the approvals and outcomes.
 */
export class Gate {
  constructor(
    readonly client: Countersign,
    private readonly options: GateOptions = {},
  ) {}

  /** Asks without waiting. Each call is asked only once. @returns the approval's ID */
  async submit(call: ToolCall, { signal }: Stop = {}): Promise<string> {
    if (!call.id) throw new TypeError("The tool call must have an ID");
    const key = `tool:${JSON.stringify([this.options.thread ?? "", call.id])}`;
    const kept = await this.options.store?.get(key);
    if (kept !== undefined) return kept;
    const id = await this.client.approvals.create(this.request(call), { key, signal });
    await this.options.store?.set(key, id);
    return id;
  }

  /**
   * Asks, waits, and if the owner approves, verifies the receipt.
   * @throws {NoAnswerError} after `timeoutMs`, or when the deadline passes
   * @throws {VerificationError} if the receipt is not the owner's approval of exactly this call
   * @throws {CountersignError}
   */
  async decide(call: ToolCall, { signal }: Stop = {}): Promise<Decision> {
    return (await this.decided(call, signal)).decision;
  }

  /**
   * Runs the tool if the owner approves, and reports the outcome.
   * @throws {ToolNotRunError} with a message for the model, if the owner did not approve or the
   *   tool was started before
   */
  async run<T>(call: ToolCall, work: () => T | Promise<T>, { signal }: Stop = {}): Promise<T> {
    const id = await this.begin(call, { signal });
    let value: T;
    try {
      value = await work();
    } catch (error) {
      await this.report(id, "failed", error instanceof Error ? error.message : String(error));
      throw error;
    }
    await this.report(id, "done");
    return value;
  }

  /**
   * Asks the owner and records that the tool starts, for tools that run elsewhere. Call `report`
   * after the tool.
   * @returns the approval's ID
   * @throws as `run`
   */
  async begin(call: ToolCall, { signal }: Stop = {}): Promise<string> {
    const { decision, begun } = await this.decided(call, signal);
    const { id } = decision;
    if (!decision.approved) throw new ToolNotRunError(decision.reason, id);
    if (begun)
      throw new ToolNotRunError(
        "An earlier attempt at this call may have taken effect, so the call was not run again.",
        id,
      );
    await this.client.approvals.report(id, { status: "started" }, { signal });
    return id;
  }

  /**
   * Reports the outcome to the owner. A failed report does not throw, because the tool has run and
   * must not seem to have failed.
   */
  async report(id: string, status: "done" | "failed", text = ""): Promise<void> {
    const { report } = this.client.approvals;
    const words = text.replaceAll(/(?!\n)\p{C}/gu, " ").slice(0, 1_000);
    await report(id, { status, ...(words.trim() && { text: words }) })
      .catch((error) =>
        error instanceof CountersignError && error.status === 400 ? report(id, { status }) : undefined,
      )
      .catch(() => undefined);
  }

  private async decided(call: ToolCall, signal: Stop["signal"]): Promise<{ decision: Decision; begun: boolean }> {
    const id = await this.submit(call, { signal });
    const { timeoutMs, onQuestion } = this.options;
    const answer = await this.client.approvals.wait(id, {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onQuestion && { onQuestion }),
    });
    if (answer.chosen !== "approve") {
      const words = [answer.text, answer.note].filter(Boolean).join("\n");
      const reason = words ? `The owner did not approve this call: ${words}` : "The owner did not approve this call.";
      return { decision: { id, approved: false, reason }, begun: false };
    }
    const outcome = await this.prove(id, call, signal);
    return { decision: { id, approved: true }, begun: outcome !== undefined };
  }

  /**
   * Verifies that the receipt is the owner's approval of this call.
   * @returns the outcome reported for this call before, if any
   */
  private async prove(id: string, call: ToolCall, signal: Stop["signal"]) {
    const { approvals, connection } = this.client;
    const [{ clientId, additions, outcome }, jws] = await Promise.all([
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
      ...this.options.receipt,
      approvalId: id,
      content: { ...this.request(call), additions },
    });
    if (!receipt.yes("approve")) throw new VerificationError("The receipt does not contain the expected answer");
    return outcome;
  }

  private request(call: ToolCall): ApprovalRequest {
    const { question = ({ name }) => `Run ${name}?`, risk } = this.options;
    const facts = this.options.facts ? this.options.facts(call) : factsOf(call.input);
    const level = typeof risk === "function" ? risk(call) : risk;
    return {
      question: question(call),
      ...(facts?.length && { facts }),
      options: [
        { id: "approve", label: "Approve" },
        { id: "reject", label: "Reject" },
      ],
      backgroundContext: `\`${call.name}\` with\n\n\`\`\`json\n${safeJson(call.input)}\n\`\`\``,
      ownerOnly: true,
      ...(level && { risk: level }),
    };
  }
}

/** Returns the owner that a receipt names. Nothing in the receipt is verified yet. */
function claimedOwner(jws: string): string {
  try {
    return String(JSON.parse(new TextDecoder().decode(fromBase64Url(jws.split(".")[1] ?? ""))).owner);
  } catch {
    throw new VerificationError("The receipt is not a compact JWS");
  }
}
