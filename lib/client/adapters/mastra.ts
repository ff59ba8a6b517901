import { Gate, type ToolCall, ToolNotRunError } from "../gate";

export { Gate, ToolNotRunError };

/** The part of a Mastra tool's context that this adapter uses. */
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
 * A suspend schema, which makes Mastra run calls one at a time. Mastra can resume only one of
 * several calls that are suspended at the same time.
 */
const suspendSchema = { type: "object", properties: { id: { type: "string" }, name: { type: "string" }, input: {} } };

/** The part of an agent's `generate` result that this adapter reads. */
export type GeneratedResult = { runId?: string; suspendPayload?: unknown };
/** Options for `resumeGenerate`, such as a thread's `memory`. */
type How = { abortSignal?: AbortSignal; [option: string]: unknown };
/** The part of Mastra's `Agent` that this adapter uses. */
type Agent<Result> = {
  resumeGenerate(data: unknown, how: How & { runId: string; toolCallId: string }): Promise<Result>;
  listSuspendedRuns(filter?: { threadId?: string; resourceId?: string }): Promise<{
    runs: { runId: string; threadId?: string; resourceId?: string; toolCalls: { suspendPayload?: unknown }[] }[];
  }>;
};

/**
 * Wraps Mastra's `createTool` for tools that run only if the owner approves: `gated(gate,
 * createTool)({ id, … })`. An agent is suspended at each call of such a tool, and `settle` asks the
 * owner. The receipt is verified before a call runs, whatever value resumes the agent.
 */
export function gated<Make extends (options: never) => unknown>(gate: Gate, createTool: Make): Make {
  const make = ({ execute, ...options }: { id: string; execute: Execute }) => {
    const run: Execute = (given, context) => {
      const { abortSignal: signal, agent } = context;
      const resumed = agent?.resumeData !== undefined;
      // Runs with the arguments that the owner saw. After a resume, Mastra passes the model's
      // original arguments, without what the schema added.
      const input = resumed ? (agent.suspendPayload as ToolCall | undefined)?.input : given;
      const call = { id: agent?.toolCallId ?? "", name: options.id, input };
      // Suspends before asking, so that the owner is asked only once the run is saved.
      return agent && !resumed
        ? agent.suspend(call)
        : gate.run(call, (allowed) => execute(allowed, context), { signal });
    };
    return createTool({ ...options, suspendSchema, execute: run } as never);
  };
  return make as unknown as Make;
}

/**
 * Asks the owner about the call at which an agent was suspended, waits for the answer, and resumes
 * the agent. Repeats this until the agent has finished: `result = await settle(gate, agent, await
 * agent.generate("…"))`.
 * @param how options for `resumeGenerate`
 * @throws {NoAnswerError} after the gate's `timeoutMs`; the questions stay open, and `resume`
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
 * Does the same as `settle` for every suspended run in Mastra's storage. Use it after the program
 * has restarted.
 * @param filter selects runs, like those of one thread
 * @returns the result of each run
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
