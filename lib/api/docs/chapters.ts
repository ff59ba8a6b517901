import { operate } from "./operator-chapter";

/**
 * A page of the documentation. `file` is its Markdown; the reference has none, because it is
 * derived from the operations.
 */
export type DocsPage = {
  id: string;
  title: string;
  /** The page's subject, in one sentence. */
  about: string;
  file?: string;
  /** The folders of `examples` whose files the page shows. */
  shows?: readonly string[];
  /** Its anchors from when the documentation was one page, like `/docs#webhooks`. */
  was?: readonly string[];
};
export type DocsChapter = { title: string; pages: readonly DocsPage[] };

/** Every page in reading order, except those whose file is missing. */
export const docsChapters: readonly DocsChapter[] = [
  {
    title: "Start",
    pages: [
      {
        id: "quick-start",
        title: "Quick start",
        about: "About Countersign, and your first approval in five minutes.",
        file: "docs/quick-start.md",
        was: ["quick-start"],
      },
      {
        id: "tokens",
        title: "Tokens and permissions",
        about: "Three ways to get a token, and a list of permissions.",
        file: "docs/tokens.md",
        was: ["tokens", "permissions"],
      },
      {
        id: "calls",
        title: "The main calls",
        about: "Ask, wait, list, read, resolve and notify, in five languages.",
        file: "docs/calls.md",
      },
    ],
  },
  {
    title: "Guides",
    pages: [
      {
        id: "answers",
        title: "Getting answers",
        about: "Waiting, the client, the shell, tests without a person, events, clarifications and outcomes.",
        file: "docs/answers.md",
        was: ["waiting", "programs", "talk", "good-to-know"],
      },
      {
        id: "webhooks",
        title: "Webhooks",
        about: "Receive events on your server, and verify the sender.",
        file: "docs/webhooks.md",
        was: ["webhooks"],
      },
      {
        id: "receipts",
        title: "Deadlines and receipts",
        about: "Time limits for answers, and proof that the owner gave them.",
        file: "docs/receipts.md",
        was: ["proof"],
      },
      {
        id: "oauth",
        title: "OAuth",
        about: "Let other owners connect your app: code for common libraries, registration, device flow, refresh.",
        file: "docs/oauth.md",
      },
      {
        id: "web-app",
        title: "A web app, end to end",
        about: "Connect an owner by OAuth, ask, receive the webhook, verify the receipt, report the outcome.",
        file: "docs/web-app.md",
        shows: ["web-app"],
      },
      {
        id: "linked-accounts",
        title: "Linked accounts",
        about: "List the linked accounts the owner shares with your app.",
        file: "docs/linked-accounts.md",
        was: ["linked-accounts"],
      },
      {
        id: "troubleshooting",
        title: "Troubleshooting",
        about: "Common errors with their cause and fix: 401, 403, CORS, refused connections, webhooks, email.",
        file: "docs/troubleshooting.md",
      },
      {
        id: "not-included",
        title: "What Countersign does not do",
        about: "Missing features, such as attachments, quorum, cancelling and SSO, and what to use instead.",
        file: "docs/not-included.md",
      },
    ],
  },
  {
    title: "Agents",
    pages: [
      { id: "mcp", title: "MCP", about: "Connect an agent without writing code.", file: "docs/mcp.md" },
      {
        id: "frameworks",
        title: "A gate before tools",
        about: "How an agent asks before a tool runs, in any framework.",
        file: "docs/frameworks/gate.md",
      },
      {
        id: "ai-sdk",
        title: "AI SDK",
        about: "Ask the owner before an AI SDK tool runs.",
        file: "docs/frameworks/ai-sdk.md",
        shows: ["ai-sdk"],
      },
      {
        id: "openai-agents",
        title: "OpenAI Agents SDK",
        about: "Ask the owner before a tool runs, in JavaScript and in Python.",
        file: "docs/frameworks/openai-agents.md",
        shows: ["openai-agents", "python-openai-agents"],
      },
      {
        id: "langgraph",
        title: "LangGraph",
        about: "Ask the owner before a tool runs, in JavaScript and in Python.",
        file: "docs/frameworks/langgraph.md",
        shows: ["langgraph", "python-langgraph"],
      },
      {
        id: "mastra",
        title: "Mastra",
        about: "Ask the owner before a Mastra tool runs.",
        file: "docs/frameworks/mastra.md",
        shows: ["mastra"],
      },
      {
        id: "pydantic-ai",
        title: "Pydantic AI",
        about: "Ask the owner before a toolset's tool runs.",
        file: "docs/frameworks/pydantic-ai.md",
        shows: ["python-pydantic-ai"],
      },
      {
        id: "crewai",
        title: "CrewAI",
        about: "Ask the owner before a crew's tool runs.",
        file: "docs/frameworks/crewai.md",
        shows: ["python-crewai"],
      },
      {
        id: "claude",
        title: "Claude",
        about: "Permissions of the Claude Agent SDK, and a hook for Claude Code.",
        file: "docs/frameworks/claude.md",
        shows: ["claude-code", "python-claude"],
      },
    ],
  },
  {
    title: "Packages",
    pages: [
      {
        id: "typescript",
        title: "TypeScript",
        about: "The client for Node.js, Deno, Bun, workers and browsers.",
        file: "clients/typescript/README.md",
      },
      {
        id: "python",
        title: "Python",
        about: "The client for Python, with and without asyncio.",
        file: "clients/python/README.md",
      },
      { id: "go", title: "Go", about: "The client for Go.", file: "clients/go/README.md" },
      {
        id: "github-action",
        title: "GitHub Action",
        about: "Ask before a workflow continues.",
        file: "clients/github-action/README.md",
      },
      {
        id: "commands",
        title: "Commands",
        about: "Ask from a shell, test without a person, and run the service.",
        file: "docs/commands.md",
      },
    ],
  },
  operate,
  {
    title: "Reference",
    pages: [
      {
        id: "reference",
        title: "API reference",
        about: "Every endpoint with its fields, every error, and the limits on input.",
        was: ["endpoints", "errors", "narrower"],
      },
      {
        id: "compatibility",
        title: "Compatibility",
        about: "Changes to expect, changes to rule out, and how features are deprecated.",
        file: "docs/compatibility.md",
      },
      { id: "changelog", title: "Changelog", about: "Changes in each version.", file: "CHANGELOG.md" },
    ],
  },
];

/** The path of a page. */
export const pathOfPage = (id: string) => (id === "quick-start" ? "/docs" : `/docs/${id}`);
