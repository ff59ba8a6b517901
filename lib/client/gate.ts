import type { ApprovalRequest, AskRequest, Countersign, Fields } from "./countersign";
import { edited, fieldsOf, withoutFields } from "./editable-arguments";
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
   * Whether the owner can change a call's arguments before approving it. With `true`, each text,
   * number, integer and boolean argument becomes a field, with the proposed value as default; blank
   * texts and other arguments are not editable. A function returns the fields of a call itself, named like
   * arguments. The tool runs with the allowed arguments, so it must check them as any others.
   */
  edits?: boolean | ((call: ToolCall) => Fields | undefined);
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

/**
 * The decision on a tool call. `reason` is text for the model, and `input` has the arguments that
 * the owner allowed.
 */
export type Decision = { id: string; approved: true; input: unknown } | { id: string; approved: false; reason: string };

/** Returns a form of the call's input, such as a parsed one, with the owner's changes. */
export type Edit = <Input>(input: Input) => Input;

/** The owner's approval of a call: the arguments to run the tool with, and the owner's changes. */
export type Permit = { id: string; input: unknown; edit: Edit };

type Decided = { decision: Decision; proven?: Proven; edit: Edit };
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
   * @param work receives the allowed arguments, which differ from the call's only with `edits`, and
   *   a function that makes the owner's changes in another form of the arguments
   * @throws {ToolNotRunError} with a message for the model, if the owner did not approve or the
   * tool was started before
   * @throws the errors of `decide`, and the tool's own error
   */
  async run<T>(
    call: ToolCall,
    work: (input: unknown, edit: Edit) => T | Promise<T>,
    { signal }: Stop = {},
  ): Promise<T> {
    const { id, input, edit } = await this.permit(call, { signal });
    return finish(this.client, id, () => work(input, edit));
  }

  /**
   * Asks the owner and uses the answer, for tools that run elsewhere with the call's own arguments.
   * Call `report` after the tool has run.
   * @returns the approval's ID
   * @throws {TypeError} with `edits`, because the owner may change the arguments: call `permit`
   * @throws the errors of `run`, except the tool's own
   */
  async begin(call: ToolCall, { signal }: Stop = {}): Promise<string> {
    if (this.options.edits) throw new TypeError("The owner may change the arguments. Call permit, not begin");
    return (await this.permit(call, { signal })).id;
  }

  /**
   * Does the same as `begin`, and returns the arguments that the owner allowed. Run the tool with
   * these arguments.
   * @throws the errors of `run`, except the tool's own
   */
  async permit(call: ToolCall, { signal }: Stop = {}): Promise<Permit> {
    const { decision, proven, edit } = await this.decided(call, signal);
    const { id } = decision;
    if (!decision.approved) throw new ToolNotRunError(decision.reason, id);
    await begin(this.client, id, proven as Proven, { signal });
    return { id, input: decision.input, edit };
  }

  /**
   * Reports the outcome to the owner. A failed report does not throw, because the tool has run and
   * must not seem to have failed.
   */
  async report(id: string, status: "done" | "failed", text = ""): Promise<void> {
    await reportOutcome(this.client, id, status, text);
  }

  private async decided(call: ToolCall, signal: Stop["signal"]): Promise<Decided> {
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
      return { decision: { id, approved: false, reason }, edit: (input) => input };
    }
    const question = this.request(call);
    const proven = await prove(this.client, id, { question, option: "approve", ...(receipt && { receipt }), signal });
    const fields = this.fields(call);
    const edit: Edit = (input) => (fields ? edited(input, fields, proven.values) : input);
    return { decision: { id, approved: true, input: edit(call.input) }, proven, edit };
  }

  private request(call: ToolCall): ApprovalRequest {
    const { question = ({ name }) => `Run ${name}?`, risk } = this.options;
    const fields = this.fields(call);
    const facts = this.options.facts
      ? this.options.facts(call)
      : factsOf(fields ? withoutFields(call.input, fields) : call.input);
    const level = typeof risk === "function" ? risk(call) : risk;
    return {
      question: question(call),
      ...(facts?.length && { facts }),
      ...(fields && { fields }),
      options: [
        { id: "approve", label: "Approve", ...(fields && { fields: true }) },
        { id: "reject", label: "Reject" },
      ],
      backgroundContext: `\`${call.name}\` with\n\n\`\`\`json\n${safeJson(call.input)}\n\`\`\``,
      ownerOnly: true,
      ...(this.options.once && { once: true }),
      ...(level && { risk: level }),
    };
  }
  private fields(call: ToolCall): Fields | undefined {
    const { edits } = this.options;
    return typeof edits === "function" ? edits(call) : edits ? fieldsOf(call.input) : undefined;
  }
}
