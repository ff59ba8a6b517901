// The parts of the frameworks that the adapters call. The frameworks are installed only by tests.
declare module "@langchain/core/messages" {
  export class ToolMessage {
    constructor(fields: { tool_call_id: string; name: string; content: string; status: "success" | "error" });
  }
}
declare module "@langchain/langgraph" {
  export function interrupt(value: unknown): unknown;
}
