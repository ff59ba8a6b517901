import { addToAgent } from "@/components/apps/first-question";
import { Code } from "./section";

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
      <a href="/client/countersign.js" className="link">
        countersign.js
      </a>
      , and its types,{" "}
      <a href="/client/countersign.d.ts" className="link">
        countersign.d.ts
      </a>
      .
    </p>
    <Code>{`import { Countersign } from "./countersign.js";

const owner = new Countersign({ baseUrl: "${baseUrl}", token: process.env.TOKEN });
const answer = await owner.ask({
  question: "Ship build 418?",
  options: [{ id: "ship", label: "Ship now" }, { id: "wait", label: "Wait" }],
});
if (answer.yes("ship")) await ship();`}</Code>
    <ul className="grid max-w-[68ch] list-disc gap-2 pl-5">
      <li>
        <code className="mono">answer.yes(id)</code> is true only when the owner chose that option, not when an app
        answered for itself. <code className="mono">chosen</code>, <code className="mono">text</code> and{" "}
        <code className="mono">note</code> hold the rest.
      </li>
      <li>
        <code className="mono">timeoutMs</code> and <code className="mono">signal</code> stop the waiting, with{" "}
        <code className="mono">NotAnswered</code>; the question stays open, and{" "}
        <code className="mono">owner.approvals.wait(id)</code> resumes later. With a <code className="mono">key</code>{" "}
        of your own, a restarted program does not ask again.
      </li>
      <li>
        <code className="mono">owner.notify</code>, <code className="mono">owner.events</code>,{" "}
        <code className="mono">verifyWebhook</code>, <code className="mono">verifyReceipt</code> and{" "}
        <code className="mono">contentHash</code> cover the rest.
      </li>
    </ul>
    <h3 className="mt-2 text-base">An agent</h3>
    <p className="max-w-[68ch]">
      Add <code className="mono">{baseUrl}/api/mcp</code> to its MCP servers, and allow it on the consent screen. Where
      there is no browser, create a personal token for MCP and send that:
    </p>
    <Code>{addToAgent(baseUrl, "$MCP_TOKEN")}</Code>
    <p>It has the tools that you allow:</p>
    <ul className="grid max-w-[68ch] list-disc gap-2 pl-5">
      <li>
        <code className="mono">ask_owner</code> asks, waits up to 45 seconds (or{" "}
        <code className="mono">waitSeconds</code>), and says in words what to do next. Called again while the question
        waits, it asks nothing new and keeps waiting; the same holds after an interrupted call, until the answer has
        been told, by a tool or otherwise. Of several calls at once, one is told to go ahead. With a{" "}
        <code className="mono">key</code> it is the same question for 24 hours.
      </li>
      <li>
        <code className="mono">check_approval</code> keeps waiting, by the id from{" "}
        <code className="mono">ask_owner</code> gave.
      </li>
      <li>
        <code className="mono">notify_owner</code> is for what needs no answer. The other endpoints are tools too, under
        their own names.
      </li>
    </ul>
    <h3 className="mt-2 text-base">A shell</h3>
    <p className="max-w-[68ch]">
      From a checkout of Countersign, on any machine. It prints the id of the chosen option, or the owner’s own words,
      and nothing else.
    </p>
    <Code>{`export COUNTERSIGN_URL=${baseUrl} COUNTERSIGN_TOKEN=$TOKEN
npm run -s countersign -- ask "Ship build 418?" \\
  --option ship --option wait --wait --expect ship && ./ship.sh`}</Code>
    <p className="max-w-[68ch]">
      Its exit status: 0 the owner chose an option, with <code className="mono">--expect</code> that one; 3 an app
      answered for itself; 4 not answered within <code className="mono">--timeout</code>; 5 own words; 6 another option
      than <code className="mono">--expect</code>; 1 refused or unreachable; 2 wrong usage.
    </p>
    <h3 className="mt-2 text-base">Tests without a person</h3>
    <p className="max-w-[68ch]">
      <code className="mono">countersign simulate</code> answers by rules, on a service for tests. Every such answer’s
      note begins with <code className="mono">Simulated:</code>, and its receipt fails every check.
    </p>
  </>
);
