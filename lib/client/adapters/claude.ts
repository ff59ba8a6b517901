import { Gate, ToolNotRunError } from "../gate";

export { Gate, ToolNotRunError };

/** The hook input of Claude Code and the Agent SDK, as far as this adapter reads it. */
export type HookGiven = {
  hook_event_name: string;
  tool_name?: string;
  tool_input?: unknown;
  tool_use_id?: string;
  error?: unknown;
};
export type HookSays = {
  hookSpecificOutput?: {
    hookEventName: "PreToolUse";
    permissionDecision: "allow" | "deny";
    permissionDecisionReason: string;
    /** The arguments to run the tool with, if the owner can change them. */
    updatedInput?: Record<string, unknown>;
  };
};

/**
 * Returns a hook for the Claude Agent SDK that runs a tool only if the owner approves. Register the
 * hook for `PreToolUse`, `PostToolUse` and `PostToolUseFailure`, with the same matcher, and set its
 * `timeout` to the longest time that an answer may take. The hook verifies the receipt before the
 * tool runs, and reports the outcome to the owner. With the gate's `edits`, the tool runs with the
 * arguments that the owner allowed.
 */
export const hook = (gate: Gate) => {
  /** The approvals' IDs, because the input after an edited call differs from the question's. */
  const ids = new Map<string, string>();
  return async (given: object, _toolUseId?: string, { signal }: { signal?: AbortSignal } = {}): Promise<HookSays> => {
    const { hook_event_name: event, tool_name: name = "", tool_input: input, ...rest } = given as HookGiven;
    const call = { id: rest.tool_use_id ?? "", name, input };
    if (event === "PreToolUse")
      return gate.permit(call, { signal }).then(
        ({ id, input: allowed }) => {
          ids.set(call.id, id);
          return decision("allow", "The owner approved this call.", allowed === input ? undefined : allowed);
        },
        // Denies the call, because a hook that throws would let the tool run.
        (error) => decision("deny", error instanceof Error ? error.message : String(error)),
      );
    const failed = event === "PostToolUseFailure";
    if (failed || event === "PostToolUse") {
      const id = ids.get(call.id) ?? (await gate.submit(call, { signal }).catch(unlessEdited));
      ids.delete(call.id);
      if (id !== undefined) await gate.report(id, failed ? "failed" : "done", String(rest.error ?? ""));
    }
    return {};
  };
};

/**
 * Ignores the refusal of a call that has other arguments than its question. The owner has edited
 * the call, and another process has asked. With the gate's `store`, that process's ID is known.
 */
function unlessEdited(error: { status?: number }): undefined {
  if (error.status !== 422) throw error;
}

/**
 * Runs the same hook as a command for Claude Code. The command reads the event from stdin and
 * writes the hook's output to stdout.
 * @param given a gate or, preferably, a function that creates one; if the function throws, for
 *   example because the token is missing, no tool runs
 */
export async function command(given: Gate | (() => Gate)): Promise<void> {
  try {
    const gate = typeof given === "function" ? given() : given;
    let text = "";
    for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
    process.stdout.write(`${JSON.stringify(await hook(gate)(JSON.parse(text)))}\n`);
  } catch (error) {
    // Exits with status 2, because any other exit status lets the tool run.
    process.stderr.write(`${error}\n`);
    process.exitCode = 2;
  }
}

const decision = (
  permissionDecision: "allow" | "deny",
  permissionDecisionReason: string,
  updatedInput?: unknown,
): HookSays => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    permissionDecisionReason,
    ...(updatedInput !== undefined && { updatedInput: updatedInput as Record<string, unknown> }),
  },
});
