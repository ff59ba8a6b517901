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
  };
};

/**
 * Returns a hook for the Claude Agent SDK that runs a tool only if the owner approves. Register the
 * hook for `PreToolUse`, `PostToolUse` and `PostToolUseFailure`, with the same matcher, and set its
 * `timeout` to the longest time that an answer may take. The hook verifies the receipt before the
 * tool runs, and reports the outcome to the owner.
 */
export const hook =
  (gate: Gate) =>
  async (given: object, _toolUseId?: string, { signal }: { signal?: AbortSignal } = {}): Promise<HookSays> => {
    const { hook_event_name: event, tool_name: name = "", tool_input: input, ...rest } = given as HookGiven;
    const call = { id: rest.tool_use_id ?? "", name, input };
    if (event === "PreToolUse")
      return gate.begin(call, { signal }).then(
        () => decision("allow", "The owner approved this call."),
        // Denies the call, because a hook that throws would let the tool run.
        (error) => decision("deny", error instanceof Error ? error.message : String(error)),
      );
    const failed = event === "PostToolUseFailure";
    if (failed || event === "PostToolUse")
      await gate.report(await gate.submit(call, { signal }), failed ? "failed" : "done", String(rest.error ?? ""));
    return {};
  };

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

const decision = (permissionDecision: "allow" | "deny", permissionDecisionReason: string): HookSays => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason },
});
