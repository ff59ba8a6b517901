// Of the frameworks, what the adapters call. They are not installed here: tests bring them.
declare module "@langchain/core/messages" {
  export class ToolMessage {
    constructor(fields: { tool_call_id: string; name: string; content: string; status: "success" | "error" });
  }
}
declare module "@langchain/langgraph" {
  export function interrupt(value: unknown): unknown;
}
