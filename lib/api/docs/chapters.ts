import { operate } from "./operator-chapter";
import { type DocsPage, framework, page } from "./page-definition";

export type DocsChapter = { title: string; pages: readonly DocsPage[] };

/** Every page, in reading order. `availableChapters` omits pages whose file is missing. */
export const docsChapters: readonly DocsChapter[] = [
  {
    title: "Start",
    pages: [
      page("quick-start", "Quick start", "Submit your first approval in five minutes."),
      page("tokens", "Tokens and permissions", "Three ways to get a token, and a list of permissions."),
      page(
        "calls",
        "The main calls",
        "Code in five programming languages to submit, list, read and resolve approvals, and to notify the owner.",
      ),
    ],
  },
  {
    title: "Guides",
    pages: [
      page(
        "answers",
        "Getting answers",
        "Wait for answers, test with simulated answers, read events, and report outcomes.",
      ),
      page(
        "fields",
        "Ask for values",
        "Amounts, dates, choices and rows that the owner fills in, and how to verify them.",
      ),
      page("webhooks", "Webhooks", "Receive events on your server, and verify the sender."),
      page("receipts", "Deadlines and receipts", "Time limits for answers, and signed proof of each answer."),
      page("lens", "The lens", "A page without network access that shows what a passkey is about to sign."),
      page(
        "signed-answers",
        "Signed answers",
        "Answers that the owner's passkey signed: pin the owner's keys, and verify answers without trust in the service.",
      ),
      page(
        "oauth",
        "OAuth",
        "Let other owners connect your app: code for common libraries, registration, device flow and token refresh.",
      ),
      page(
        "web-app",
        "A web app, end to end",
        "Connect an owner with OAuth, ask a question, receive the webhook, verify the receipt, and report the outcome.",
        { shows: ["web-app"] },
      ),
      page("linked-accounts", "Linked accounts", "List the linked accounts that the owner shares with your app."),
      page(
        "troubleshooting",
        "Troubleshooting",
        "Common errors with causes and fixes: 401, 403, CORS, refused connections, webhooks and email.",
      ),
      page(
        "not-included",
        "What Countersign does not do",
        "Missing features, such as attachments, quorum, cancellation and SSO, with alternatives.",
      ),
    ],
  },
  {
    title: "Agents",
    pages: [
      page("mcp", "MCP", "Connect an agent without writing code."),
      page("frameworks", "A gate before tools", "Ask the owner before a tool runs, in any framework.", {
        file: "docs/frameworks/gate.md",
      }),
      framework("ai-sdk", "AI SDK", "Ask the owner before an AI SDK tool runs.", "ai-sdk"),
      framework(
        "openai-agents",
        "OpenAI Agents SDK",
        "Ask the owner before an OpenAI Agents SDK tool runs, in JavaScript and Python.",
        "openai-agents",
        "python-openai-agents",
      ),
      framework(
        "langgraph",
        "LangGraph",
        "Ask the owner before a LangGraph tool runs, in JavaScript and Python.",
        "langgraph",
        "python-langgraph",
      ),
      framework("mastra", "Mastra", "Ask the owner before a Mastra tool runs.", "mastra"),
      framework("pydantic-ai", "Pydantic AI", "Ask the owner before a Pydantic AI tool runs.", "python-pydantic-ai"),
      framework("crewai", "CrewAI", "Ask the owner before a CrewAI tool runs.", "python-crewai"),
      framework(
        "claude",
        "Claude",
        "Ask the owner from the Claude Agent SDK’s permission callback or from a Claude Code hook.",
        "claude-code",
        "python-claude",
      ),
    ],
  },
  {
    title: "Packages",
    pages: [
      page("typescript", "TypeScript", "The JavaScript client for Node.js, Deno, Bun, workers and browsers.", {
        file: "clients/typescript/README.md",
      }),
      page("python", "Python", "The Python client, for code with and without asyncio.", {
        file: "clients/python/README.md",
      }),
      page("go", "Go", "The Go client.", { file: "clients/go/README.md" }),
      page("github-action", "GitHub Action", "Ask the owner before a workflow continues.", {
        file: "clients/github-action/README.md",
      }),
      page("commands", "Commands", "Ask the owner from a shell, test with simulated answers, and run the service."),
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
      },
      page(
        "compatibility",
        "Compatibility",
        "Rules for compatible and incompatible changes, and for deprecated features.",
      ),
      page("changelog", "Changelog", "Changes in each version.", { file: "CHANGELOG.md" }),
    ],
  },
];

export const pathOfPage = (id: string) => (id === "quick-start" ? "/docs" : `/docs/${id}`);
