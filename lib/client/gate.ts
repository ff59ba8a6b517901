import type { ApprovalRequest, AskRequest, Countersign } from "./countersign";
import { begin, type ExpectedReceipt, finish, type Proven, prove, reportOutcome, ToolNotRunError } from "./guard";
import { factsOf } from "./tool-call-facts";
import { safeJson } from "./visible-json";

export { type GuardOptions, guard, ToolNotRunError } from "./guard";

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
  /** Whether the owner can withdraw an approval until the tool starts. */
  once?: boolean;
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
  receipt?: ExpectedReceipt;
};

/** The decision on a tool call. `reason` is text for the model. */
export type Decision = { id: string; approved: true } | { id: string; approved: false; reason: string };

type Stop = { signal?: AbortSignal | undefined };

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

  /**
   * Asks the owner about a call, without waiting for the answer. Asks only once about each call.
   * @returns the approval's ID
   */
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
   * Asks the owner, waits for the answer and, if the owner approves, verifies the receipt.
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
   * tool was started before
   * @throws the errors of `decide`, and the tool's own error
   */
  async run<T>(call: ToolCall, work: () => T | Promise<T>, { signal }: Stop = {}): Promise<T> {
    const id = await this.begin(call, { signal });
    return finish(this.client, id, work);
  }

  /**
   * Asks the owner and uses the answer, for tools that run elsewhere. Call `report` after the tool
   * has run.
   * @returns the approval's ID
   * @throws the errors of `run`, except the tool's own
   */
  async begin(call: ToolCall, { signal }: Stop = {}): Promise<string> {
    const { decision, proven } = await this.decided(call, signal);
    const { id } = decision;
    if (!decision.approved) throw new ToolNotRunError(decision.reason, id);
    await begin(this.client, id, proven as Proven, { signal });
    return id;
  }

  /**
   * Reports the outcome to the owner. A failed report does not throw, because the tool has run and
   * must not seem to have failed.
   */
  async report(id: string, status: "done" | "failed", text = ""): Promise<void> {
    await reportOutcome(this.client, id, status, text);
  }

  private async decided(call: ToolCall, signal: Stop["signal"]): Promise<{ decision: Decision; proven?: Proven }> {
    const id = await this.submit(call, { signal });
    const { timeoutMs, onQuestion, receipt } = this.options;
    const answer = await this.client.approvals.wait(id, {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onQuestion && { onQuestion }),
    });
    if (answer.chosen !== "approve") {
      const words = [answer.text, answer.note].filter(Boolean).join("\n");
      const reason = words ? `The owner did not approve this call: ${words}` : "The owner did not approve this call.";
      return { decision: { id, approved: false, reason } };
    }
    const question = this.request(call);
    const proven = await prove(this.client, id, { question, option: "approve", ...(receipt && { receipt }), signal });
    return { decision: { id, approved: true }, proven };
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
      ...(this.options.once && { once: true }),
      ...(level && { risk: level }),
    };
  }
}
