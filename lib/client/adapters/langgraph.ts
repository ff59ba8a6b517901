import { ToolMessage } from "@langchain/core/messages";
import { interrupt } from "@langchain/langgraph";
import { Gate, ToolNotRunError } from "../gate";

export { Gate, ToolNotRunError };

type Request = { toolCall: { id?: string; name: string; args: unknown } };
type Stopped = { __interrupt__?: readonly { id?: string; value?: unknown }[] };

/**
 * Returns a `wrapToolCall` for LangChain's `createMiddleware`. Each call of the given tools, or by
 * default of any tool, asks the owner and stops the graph, and `answered` waits for the answers.
 * The receipt is verified before a tool runs, whatever value resumes the graph. The graph needs a
 * checkpointer.
 */
export function gated(gate: Gate, { tools }: { tools?: readonly string[] } = {}) {
  return async <ToolRequest extends Request, Result>(
    request: ToolRequest,
    handler: (request: ToolRequest) => Result | Promise<Result>,
  ) => {
    const { id = "", name, args } = request.toolCall;
    if (tools && !tools.includes(name)) return handler(request);
    const call = { id, name, input: args };
    interrupt({ approvalId: await gate.submit(call), tool: name });
    try {
      // Passes the request itself if the owner can't change it, because frameworks may compare it.
      return await gate.run(call, (_, edit) => {
        const allowed = edit(args);
        return handler(allowed === args ? request : { ...request, toolCall: { ...request.toolCall, args: allowed } });
      });
    } catch (error) {
      if (!(error instanceof ToolNotRunError)) throw error;
      return new ToolMessage({ tool_call_id: id, name, content: error.message, status: "error" }) as never;
    }
  };
}

/**
 * Waits until the owner has answered every call at which a graph stopped: `new Command({ resume:
 * await answered(gate, result) })`. After a restart, pass the interrupted result of the saved
 * graph.
 * @returns the value that resumes the graph; undefined if the graph has not stopped at such a call
 * @throws {NoAnswerError} after `timeoutMs`; the questions stay open
 */
export async function answered(
  gate: Gate,
  result: object,
  how: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Record<string, true> | undefined> {
  const { __interrupt__: stops = [] } = result as Stopped;
  const ours = stops.flatMap(({ id, value }) => {
    const { approvalId } = (value ?? {}) as { approvalId?: string };
    return id && approvalId ? [{ id, approvalId }] : [];
  });
  await Promise.all(ours.map(({ approvalId }) => gate.client.approvals.wait(approvalId, how)));
  return ours.length > 0 ? Object.fromEntries(ours.map(({ id }) => [id, true] as const)) : undefined;
}
