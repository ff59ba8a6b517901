import { Gate, type ToolCall, ToolNotRunError } from "../gate";

export { Gate, ToolNotRunError };

/** The part of a Mastra tool's context that is used here. */
type Context = {
  abortSignal?: AbortSignal;
  agent?: {
    toolCallId: string;
    resumeData?: unknown;
    suspendPayload?: unknown;
    suspend(payload: unknown): Promise<unknown>;
  };
};
type Execute = (input: unknown, context: Context) => unknown;

/**
 * Its presence makes Mastra run calls one after the other: of several suspended calls it can resume
 * only one.
 */
const suspendSchema = { type: "object", properties: { id: { type: "string" }, name: { type: "string" }, input: {} } };

/** The part of the result of an agent's `generate` that is read here. */
export type GeneratedResult = { runId?: string; suspendPayload?: unknown };
/** The options of `resumeGenerate`, like the `memory` of a thread. */
type How = { abortSignal?: AbortSignal; [option: string]: unknown };
/** The part of Mastra's `Agent` that is used here. */
type Agent<Result> = {
  resumeGenerate(data: unknown, how: How & { runId: string; toolCallId: string }): Promise<Result>;
  listSuspendedRuns(filter?: { threadId?: string; resourceId?: string }): Promise<{
    runs: { runId: string; threadId?: string; resourceId?: string; toolCalls: { suspendPayload?: unknown }[] }[];
  }>;
};

/**
 * Mastra's `createTool`, for tools that run only if the owner approves: `gated(gate, createTool)({
 * id, … })`. An agent is suspended at their calls, `settle` asks, and the owner's receipt is
 * verified before a call runs, whatever the agent is resumed with.
 */
export function gated<Make extends (options: never) => unknown>(gate: Gate, createTool: Make): Make {
  const make = ({ execute, ...options }: { id: string; execute: Execute }) => {
    const run: Execute = (given, context) => {
      const { abortSignal: signal, agent } = context;
      const resumed = agent?.resumeData !== undefined;
      // Run exactly the shown arguments. On resume, Mastra passes the model's arguments without
      // additions by the schema.
      const input = resumed ? (agent.suspendPayload as ToolCall | undefined)?.input : given;
      const call = { id: agent?.toolCallId ?? "", name: options.id, input };
      // The owner is asked only once the run is saved.
      return agent && !resumed ? agent.suspend(call) : gate.run(call, () => execute(input, context), { signal });
    };
    return createTool({ ...options, suspendSchema, execute: run } as never);
  };
  return make as unknown as Make;
}

/**
 * Ask the owner about the call at which an agent was suspended, wait, and resume it, until it has
 * finished: `result = await settle(gate, agent, await agent.generate("…"))`. `how` is for
 * `resumeGenerate`.
 * @throws {NoAnswerError} after the gate's `timeoutMs`; the questions still wait, and `resume`
 * continues
 */
export async function settle<Result extends GeneratedResult>(
  gate: Gate,
  agent: Pick<Agent<Result>, "resumeGenerate">,
  result: Result,
  how: How = {},
): Promise<Result> {
  const { suspendPayload: call } = (result.suspendPayload ?? {}) as { suspendPayload?: ToolCall };
  if (!result.runId || !call?.id) return result;
  await gate.decide(call, { signal: how.abortSignal });
  const which = { runId: result.runId, toolCallId: call.id };
  return settle(gate, agent, await agent.resumeGenerate({ answered: true }, { ...how, ...which }), how);
}

/**
 * Resume every run that was waiting when the program stopped, from Mastra's storage.
 * @param filter which runs, like those of one thread
 * @returns the result of each
 */
export async function resume<Result extends GeneratedResult>(
  gate: Gate,
  agent: Agent<Result>,
  filter: { threadId?: string; resourceId?: string } = {},
  how: How = {},
): Promise<Result[]> {
  const { runs } = await agent.listSuspendedRuns(filter);
  return Promise.all(
    runs.map(({ runId, threadId: thread, resourceId: resource, toolCalls }) => {
      const kept = { runId, suspendPayload: toolCalls[0] } as unknown as Result;
      return settle(gate, agent, kept, { ...(thread && { memory: { thread, resource } }), ...how });
    }),
  );
}
