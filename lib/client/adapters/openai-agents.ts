import { Gate, ToolNotRunError } from "../gate";

export { Gate, ToolNotRunError };

type Details = { toolCall?: { callId: string; arguments?: string }; signal?: AbortSignal };
type Execute = (input: unknown, context?: unknown, details?: Details) => unknown;

/** The part of the SDK's `RunToolApprovalItem` that this adapter reads. */
type Interruption = { rawItem: object };
/** The part of the SDK's `RunState` that this adapter uses. */
type State<Item> = {
  getInterruptions(): Item[];
  approve(item: Item): void;
  reject(item: Item, how: { message: string }): void;
};

/**
 * Wraps the SDK's `tool` for tools that run only if the owner approves: `gated(gate, tool)({ name,
 * … })`. A run stops at each call of such a tool, and `settle` asks the owner. The receipt is
 * verified before a call runs, even if the run's state marks the call as approved.
 */
export function gated<Make extends (options: never) => unknown>(gate: Gate, tool: Make): Make {
  const make = ({ execute, ...options }: { name: string; execute: Execute }) => {
    const { name } = options;
    const run: Execute = (input, context, details) => {
      const { callId: id = "", arguments: text } = details?.toolCall ?? {};
      // The question showed the model's own arguments, without the schema's additions.
      const call = { id, name, input: text === undefined ? input : JSON.parse(text || "null") };
      return gate
        .run(call, (_, edit) => execute(edit(input), context, details), { signal: details?.signal })
        .catch((error) => {
          // Returns the message as a result, because the model would retry after an error.
          if (error instanceof ToolNotRunError) return error.message;
          throw error;
        });
    };
    return tool({ ...options, needsApproval: true, execute: run } as never);
  };
  return make as unknown as Make;
}

/**
 * Asks the owner about every call at which a run stopped, waits for the answers, and updates the
 * state: `while (await settle(gate, result.state)) result = await run(agent, result.state)`. After
 * a restart, a program can pass its saved state, and the owner is not asked twice.
 * @returns whether any call needed approval
 * @throws {NoAnswerError} after the gate's `timeoutMs`; the questions stay open
 */
export async function settle<Item extends Interruption>(
  gate: Gate,
  state: State<Item>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<boolean> {
  const items = state.getInterruptions();
  const decisions = await Promise.all(
    items.map(({ rawItem }) => {
      const { callId = "", name = "", arguments: text } = rawItem as Partial<Record<string, string>>;
      return gate.decide({ id: callId, name, input: JSON.parse(text || "null") }, { signal });
    }),
  );
  for (const [index, decision] of decisions.entries()) {
    const item = items[index] as Item;
    if (decision.approved) state.approve(item);
    else state.reject(item, { message: decision.reason });
  }
  return items.length > 0;
}
