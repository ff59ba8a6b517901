import { addToAgent } from "@/components/apps/first-question";
import { PlainLink } from "@/components/ui/plain-link";
import { Code, Li, P } from "./section";

/** Asking from a program, an agent and a shell, without writing any of it oneself. */
export const Programs = ({ baseUrl }: { baseUrl: string }) => (
  <>
    <p className="max-w-[68ch]">
      Each of these asks and waits, continues after a broken connection or a restart of the service, and never asks
      twice.
    </p>
    <h3 className="mt-2 text-base">A program</h3>
    <p className="max-w-[68ch]">
      The client is one file without dependencies, for Node.js 20 and newer, Deno, Bun and workers:{" "}
      <PlainLink href="/client/countersign.js">countersign.js</PlainLink>, and its types,{" "}
      <PlainLink href="/client/countersign.d.ts">countersign.d.ts</PlainLink>. The folder{" "}
      <code className="mono">clients</code> of a checkout has it as an npm package and for Python, with adapters for the
      AI SDK, the OpenAI Agents SDK, LangGraph, Pydantic AI and Claude.
    </p>
    <Code>{`import { Countersign } from "./countersign.js";

const owner = new Countersign({ baseUrl: "${baseUrl}", token: process.env.TOKEN });
const answer = await owner.ask({
  question: "Ship build 418?",
  options: [{ id: "ship", label: "Ship now" }, { id: "wait", label: "Wait" }],
});
if (answer.yes("ship")) await ship();`}</Code>
    <ul className="grid max-w-[68ch] list-disc gap-2 ps-5">
      <Li>
        `answer.yes(id)` is true only when the owner chose that option, not when an app answered for itself. `chosen`,
        `text` and `note` hold the rest.
      </Li>
      <Li>
        `timeoutMs` and `signal` stop the waiting, with `NotAnswered`; the question stays open, and
        `owner.approvals.wait(id)` resumes later. With a `key` of your own, a restarted program does not ask again.
      </Li>
      <Li>
        `owner.approvals.create` asks without waiting. `owner.approvals.list()` and `owner.notifications.list()` are a
        page when awaited, and every page with `for await`.
      </Li>
      <Li>`owner.notify`, `owner.events`, `verifyWebhook`, `verifyReceipt` and `contentHash` cover the rest.</Li>
    </ul>
    <h3 className="mt-2 text-base">An agent</h3>
    <P>
      Add <code className="mono">{baseUrl}/api/mcp</code> to its MCP servers, and allow it on the consent screen. Where
      there is no browser, create a personal token for MCP and send that:
    </P>
    <Code>{addToAgent(baseUrl, "$MCP_TOKEN")}</Code>
    <p>It has the tools that you allow:</p>
    <ul className="grid max-w-[68ch] list-disc gap-2 ps-5">
      <Li>
        `ask_owner` asks, waits up to 45 seconds (or `waitSeconds`), and says in words what to do next. Called again
        while the question waits, it asks nothing new and keeps waiting; the same holds after an interrupted call, until
        the answer has been told, by a tool or otherwise. Of several calls at once, one is told to go ahead. With a
        `key` it is the same question for 24 hours.
      </Li>
      <Li>`check_approval` keeps waiting, by the id from `ask_owner` gave.</Li>
      <Li>
        `notify_owner` is for what needs no answer. With `?tools=all` behind the address the other endpoints are tools,
        too.
      </Li>
    </ul>
    <h3 className="mt-2 text-base">A shell</h3>
    <p className="max-w-[68ch]">
      From a checkout of Countersign, on any machine. It prints the id of the chosen option, or the owner’s own words,
      and nothing else.
    </p>
    <Code>{`export COUNTERSIGN_URL=${baseUrl} COUNTERSIGN_TOKEN=$TOKEN
npm run -s countersign -- ask "Ship build 418?" \\
  --option ship --option wait --wait --expect ship && ./ship.sh`}</Code>
    <P>
      Its exit status: 0 the owner chose an option, with `--expect` that one; 3 an app answered for itself; 4 not
      answered within `--timeout`; 5 own words; 6 another option than `--expect`; 1 refused or unreachable; 2 wrong
      usage.
    </P>
    <h3 className="mt-2 text-base">Tests without a person</h3>
    <P>
      `countersign simulate` answers by rules, on a service for tests. Every such answer’s note begins with
      `Simulated:`, and its receipt fails every check.
    </P>
  </>
);
