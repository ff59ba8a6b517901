import { operate } from "./operate";

/** A page of the documentation. `file` is its Markdown; the reference has none, since it is derived from the operations. */
export type DocsPage = {
  id: string;
  title: string;
  /** What it is about, in a sentence. */
  about: string;
  file?: string;
  /** The folders of \`examples\` whose files it shows. */
  shows?: readonly string[];
  /** Where it was when all of this was one page: `/docs#webhooks`. */
  was?: readonly string[];
};
export type DocsChapter = { title: string; pages: readonly DocsPage[] };

/** Every page, in the order in which it is read. A file that is not there has no page. */
export const docsChapters: readonly DocsChapter[] = [
  {
    title: "Start",
    pages: [
      {
        id: "quick-start",
        title: "Quick start",
        about: "What Countersign is, and your first approval in five minutes.",
        file: "docs/quick-start.md",
        was: ["quick-start"],
      },
      {
        id: "tokens",
        title: "Tokens and permissions",
        about: "Three ways to get a token, and what each permission allows.",
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
        about: "Waiting, the client, the shell, tests without a person, events, questions back and outcomes.",
        file: "docs/answers.md",
        was: ["waiting", "programs", "talk", "good-to-know"],
      },
      {
        id: "webhooks",
        title: "Webhooks",
        about: "Have events sent to your server, and check who sent them.",
        file: "docs/webhooks.md",
        was: ["webhooks"],
      },
      {
        id: "receipts",
        title: "Deadlines and receipts",
        about: "Until when an answer counts, and how to prove that the owner gave it.",
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
        about: "Which accounts elsewhere the owner lets your app see.",
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
      {
        id: "mcp",
        title: "MCP",
        about: "Connect an agent without writing code.",
        file: "docs/mcp.md",
      },
      {
        id: "frameworks",
        title: "A gate before tools",
        about: "How an agent asks before a tool runs, whatever it is written with.",
        file: "docs/frameworks/gate.md",
      },
      {
        id: "ai-sdk",
        title: "AI SDK",
        about: "Ask the owner before a tool of the AI SDK runs.",
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
        about: "Ask the owner before a tool of Mastra runs.",
        file: "docs/frameworks/mastra.md",
        shows: ["mastra"],
      },
      {
        id: "pydantic-ai",
        title: "Pydantic AI",
        about: "Ask the owner before a tool of a toolset runs.",
        file: "docs/frameworks/pydantic-ai.md",
        shows: ["python-pydantic-ai"],
      },
      {
        id: "crewai",
        title: "CrewAI",
        about: "Ask the owner before a tool of a crew runs.",
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
        about: "Ask before a workflow goes on.",
        file: "clients/github-action/README.md",
      },
      {
        id: "commands",
        title: "Commands",
        about: "Ask from a shell, try out without a person, and everything that operators do.",
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
        about: "What may be added without notice, what will not change, and how something is deprecated.",
        file: "docs/compatibility.md",
      },
      { id: "changelog", title: "Changelog", about: "What changed, version by version.", file: "CHANGELOG.md" },
    ],
  },
];

/** Where a page is. */
export const pathOfPage = (id: string) => (id === "quick-start" ? "/docs" : `/docs/${id}`);
