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
import { safeJson } from "./safe-json";

/** What a model wants to run. Its `id` is the model's, and the same again when the program was started anew. */
export type ToolCall = { id: string; name: string; input: unknown };

/** What may be told of a call has to come out the same each time, or it is another question. */
export type GateOptions = {
  /** What the owner reads first; "Run NAME?" unless told. The arguments stand below it, whole. */
  question?: (call: ToolCall) => string;
  risk?: ApprovalRequest["risk"] | ((call: ToolCall) => ApprovalRequest["risk"]);
  /** Names the conversation, for models that count their calls anew in each. */
  thread?: string;
  /** How long to wait for the answer, in milliseconds; as long as it takes unless told. */
  timeoutMs?: number;
  /** May answer what the owner asks back. */
  onQuestion?: AskRequest["onQuestion"];
  /** Keeps the approvals' ids. Without it a call that waited for more than 24 hours is asked anew by a program that was started again. */
  store?: {
    get(key: string): string | undefined | Promise<string | undefined>;
    set(key: string, id: string): unknown;
  };
  /** Who has to have signed and answered: what the service says for this token, where that is not pinned here. */
  receipt?: Partial<Pick<ReceiptChecks, "issuer" | "audience" | "owner" | "jwks" | "jwksUrl" | "allowSimulated">>;
};

/** `reason` is for the model. */
export type Decision = { id: string; approved: true } | { id: string; approved: false; reason: string };

type Stop = { signal?: AbortSignal | undefined };

/** A tool did not run. The message is for the model. */
export class ToolNotRunError extends Error {
  constructor(
    message: string,
    /** The approval's. */
    readonly id: string,
  ) {
    super(message);
    this.name = "ToolNotRunError";
  }
}

/**
 * Stands before an agent's tools: the owner sees a call with all its arguments, and what they approve runs, once, exactly as
 * it was shown. Nothing depends on what this program remembers.
 */
export class Gate {
  constructor(
    readonly client: Countersign,
    private readonly options: GateOptions = {},
  ) {}

  /** Ask, without waiting; a call that was asked before is not asked again. @returns the approval's id */
  async submit(call: ToolCall, { signal }: Stop = {}): Promise<string> {
    if (!call.id) throw new TypeError("A tool call needs an id");
    const key = `tool:${JSON.stringify([this.options.thread ?? "", call.id])}`;
    const kept = await this.options.store?.get(key);
    if (kept !== undefined) return kept;
    const id = await this.client.approvals.create(this.request(call), { key, signal });
    await this.options.store?.set(key, id);
    return id;
  }

  /**
   * Ask, wait, and check the receipt of a yes.
   * @throws {NoAnswerError} when `timeoutMs` is over or the deadline passed
   * @throws {VerificationError} when a yes is not the owner's, or not to these arguments
   * @throws {CountersignError}
   */
  async decide(call: ToolCall, { signal }: Stop = {}): Promise<Decision> {
    return (await this.decided(call, signal)).decision;
  }

  /**
   * Run the tool if the owner approves, and report what came of it.
   * @throws {ToolNotRunError} with words for the model, when the owner did not approve or it was begun before
   * @throws whatever the tool throws, and as `decide`
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
   * The first half of `run`, for what runs elsewhere: `report` is the second.
   * @returns the approval's id
   * @throws as `run`
   */
  async begin(call: ToolCall, { signal }: Stop = {}): Promise<string> {
    const { decision, begun } = await this.decided(call, signal);
    const { id } = decision;
    if (!decision.approved) throw new ToolNotRunError(decision.reason, id);
    if (begun) throw new ToolNotRunError("This call began before and may have taken effect. It was not run again.", id);
    await this.client.approvals.report(id, { status: "started" }, { signal });
    return id;
  }

  /** Tell the owner what came of it. The tool has run: that they do not hear of it is no reason to say that it failed. */
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
      const reason = words ? `The owner did not approve this: ${words}` : "The owner did not approve this.";
      return { decision: { id, approved: false, reason }, begun: false };
    }
    const outcome = await this.prove(id, call, signal);
    return { decision: { id, approved: true }, begun: outcome !== undefined };
  }

  /** @returns what was reported of it before */
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
    if (!receipt.yes("approve")) throw new VerificationError("The owner did not approve it");
    return outcome;
  }

  private request(call: ToolCall): ApprovalRequest {
    const { question = ({ name }) => `Run ${name}?`, risk } = this.options;
    const level = typeof risk === "function" ? risk(call) : risk;
    return {
      question: question(call),
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

/** Whose answer the receipt says it is, before anything of it is checked. */
function claimedOwner(jws: string): string {
  try {
    return String(JSON.parse(new TextDecoder().decode(fromBase64Url(jws.split(".")[1] ?? ""))).owner);
  } catch {
    throw new VerificationError("It is not a compact JWS");
  }
}
