import { Gate, ToolNotRunError } from "../gate";

export { Gate, ToolNotRunError };

type Options = { toolCallId: string; abortSignal?: AbortSignal | undefined };
type Execute = (input: unknown, options: Options) => unknown;
type Part = { type: string; approvalId?: string; toolCallId?: string; toolName?: string; input?: unknown };
/** The part of the AI SDK's `ModelMessage` that this adapter reads. */
export type ReadMessage = { role: string; content: string | readonly { type: string }[] };

/** The message with the answers. Append it to the messages, then generate again. */
export type AnswersMessage = {
  role: "tool";
  content: { type: "tool-approval-response"; approvalId: string; approved: boolean; reason?: string }[];
};

/**
 * Wraps tools of the AI SDK, so that they run only if the owner approves. Generation stops at each
 * call of such a tool, and `answers` then asks the owner. The receipt is verified before a tool
 * runs, whatever the messages contain.
 */
export function gated<Tools extends Record<string, object>>(gate: Gate, tools: Tools): Tools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const { execute } = tool as { execute?: Execute };
      if (!execute)
        throw new TypeError(
          `The tool "${name}" has no execute function. Add the gate in the program that runs the tool.`,
        );
      const run: Execute = (input, options) =>
        gate.run({ id: options.toolCallId, name, input }, (_, edit) => last(execute.call(tool, edit(input), options)), {
          signal: options.abortSignal,
        });
      return [name, { ...tool, needsApproval: true, execute: run }];
    }),
  ) as Tools;
}

/**
 * Asks the owner about every call that needs approval, and waits for the answers. A program that
 * restarts can pass its saved messages again; the owner is not asked twice.
 * @returns the message to append, or undefined if no call needs approval
 * @throws {NoAnswerError} after the gate's `timeoutMs`; the questions stay open
 */
export async function answers(
  gate: Gate,
  messages: readonly ReadMessage[],
  { signal }: { signal?: AbortSignal } = {},
): Promise<AnswersMessage | undefined> {
  const parts = messages.flatMap(({ content }) => (typeof content === "string" ? [] : (content as readonly Part[])));
  const of = (type: string) => parts.filter((part) => part.type === type);
  const answered = new Set(of("tool-approval-response").map(({ approvalId }) => approvalId));
  const content = await Promise.all(
    of("tool-approval-request")
      .filter(({ approvalId }) => !answered.has(approvalId))
      .map(async ({ approvalId = "", toolCallId = "" }) => {
        const call = of("tool-call").find((it) => it.toolCallId === toolCallId);
        const toolCall = { id: toolCallId, name: call?.toolName ?? "", input: call?.input };
        const decision = await gate.decide(toolCall, { signal });
        const type = "tool-approval-response" as const;
        return decision.approved
          ? { type, approvalId, approved: true }
          : { type, approvalId, approved: false, reason: decision.reason };
      }),
  );
  return content.length > 0 ? { role: "tool", content } : undefined;
}

/** Returns a tool's result. If the tool reports progress, its last report is the result. */
async function last(output: unknown): Promise<unknown> {
  const result = await output;
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  let value: unknown;
  for await (value of result as AsyncIterable<unknown>);
  return value;
}
