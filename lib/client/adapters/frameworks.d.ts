// Declares the parts of the frameworks that the adapters call. Only tests install the frameworks.
declare module "@langchain/core/messages" {
  export class ToolMessage {
    constructor(fields: { tool_call_id: string; name: string; content: string; status: "success" | "error" });
  }
}
declare module "@langchain/langgraph" {
  export function interrupt(value: unknown): unknown;
}
