import { Gate, type ToolCall, ToolNotRunError } from "../gate";

export { Gate, ToolNotRunError };

/** Of what Mastra gives a tool, what is used here. */
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

/** That there is one makes Mastra take calls one after the other: of several that wait at once, it can resume only one. */
const suspendSchema = { type: "object", properties: { id: { type: "string" }, name: { type: "string" }, input: {} } };

/** Of what an agent's `generate` gives, what is read here. */
export type GeneratedResult = { runId?: string; suspendPayload?: unknown };
/** What `resumeGenerate` takes, like the `memory` of a thread. */
type How = { abortSignal?: AbortSignal; [option: string]: unknown };
/** Of Mastra's `Agent`, what is used here. */
type Agent<Result> = {
  resumeGenerate(data: unknown, how: How & { runId: string; toolCallId: string }): Promise<Result>;
  listSuspendedRuns(filter?: { threadId?: string; resourceId?: string }): Promise<{
    runs: { runId: string; threadId?: string; resourceId?: string; toolCalls: { suspendPayload?: unknown }[] }[];
  }>;
};

/**
 * Mastra's `createTool`, for tools that run only when the owner approves: `gated(gate, createTool)({ id, … })`. An agent is
 * suspended at their calls, `settle` asks, and before one runs the owner's receipt is checked, whatever the agent is resumed with.
 */
export function gated<Make extends (options: never) => unknown>(gate: Gate, createTool: Make): Make {
  const make = ({ execute, ...options }: { id: string; execute: Execute }) => {
    const run: Execute = (given, context) => {
      const { abortSignal: signal, agent } = context;
      const resumed = agent?.resumeData !== undefined;
      // What was shown runs. Resumed, Mastra gives what the model wrote, without what the schema adds.
      const input = resumed ? (agent.suspendPayload as ToolCall | undefined)?.input : given;
      const call = { id: agent?.toolCallId ?? "", name: options.id, input };
      // Nobody is asked before the run is kept.
      return agent && !resumed ? agent.suspend(call) : gate.run(call, () => execute(input, context), { signal });
    };
    return createTool({ ...options, suspendSchema, execute: run } as never);
  };
  return make as unknown as Make;
}

/**
 * Ask the owner about the call at which an agent was suspended, wait, and resume it, until it has come to its end: `result =
 * await settle(gate, agent, await agent.generate("…"))`. `how` is for `resumeGenerate`.
 * @throws {NoAnswerError} when the gate's `timeoutMs` is over; the questions still wait, and `resume` goes on
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
 * Go on with every run that waited when the program was ended, by the storage that Mastra has.
 * @param filter whose runs, like those of one thread
 * @returns what came of each
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
