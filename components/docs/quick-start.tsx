import type { Reference } from "@/lib/api/reference";
import { Code } from "./section";

/** From nothing to a question that was answered, in five steps. */
export function QuickStart({ reference: { endpoints } }: { reference: Reference }) {
  const curl = (id: string) => endpoints.find((endpoint) => endpoint.id === id)?.curl ?? "";
  return (
    <ol className="grid list-decimal gap-4 pl-5 marker:font-semibold marker:text-muted">
      <li>
        <a href="/developer" className="link">
          Register an app
        </a>
        . A name is enough to begin with.
      </li>
      <li>
        On its page, create a personal token with <code className="mono">approvals:write</code> and{" "}
        <code className="mono">approvals:read</code>. Keep it in your shell:
        <div className="mt-2">
          <Code>{`export TOKEN=…`}</Code>
        </div>
      </li>
      <li>
        Ask a question. The reply has its id.
        <div className="mt-2">
          <Code>{curl("submitApproval")}</Code>
        </div>
      </li>
      <li>
        Answer it in{" "}
        <a href="/approvals" className="link">
          Approvals
        </a>
        .
      </li>
      <li>
        Read the answer. Go on only when <code className="mono">status</code> is <code className="mono">resolved</code>,
        and by what <code className="mono">resolution</code> says.
        <div className="mt-2">
          <Code>{`export ID=…   # from step 3\n${curl("getApproval")}`}</Code>
        </div>
      </li>
    </ol>
  );
}
