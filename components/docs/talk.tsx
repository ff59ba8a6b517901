import { Code } from "./section";

const auth = `-H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json"`;

/** What may pass between a program and the owner besides one question and one answer. */
export const Talk = ({ baseUrl }: { baseUrl: string }) => (
  <>
    <ul className="grid max-w-[68ch] list-disc gap-3 pl-5">
      <li>
        <strong>The owner asks back:</strong> the approval stays <code className="mono">pending</code> and has{" "}
        <code className="mono">questions</code>. A waiting request returns at once, once for each of them; event readers
        get <code className="mono">approval.question_asked</code>.
      </li>
      <li>
        <strong>You add to it:</strong> it appears below your question, which does not change, and returns to the owner.
        Then keep waiting. An addition is optional: the owner may answer without one.
        <div className="mt-2">
          <Code>{`curl "${baseUrl}/api/approvals/$ID/additions" \\\n  ${auth} \\\n  -d '{"text":"The soak test ended without errors."}'`}</Code>
        </div>
      </li>
      <li>
        <strong>You report the outcome:</strong> <code className="mono">started</code> when you begin, then{" "}
        <code className="mono">done</code> or <code className="mono">failed</code>. The owner’s history reads asked,
        answered, happened. The latest report counts, and none is lost.
        <div className="mt-2">
          <Code>{`curl "${baseUrl}/api/approvals/$ID/outcome" \\\n  ${auth} \\\n  -d '{"status":"done","text":"Deployed build 418.","link":"https://ci.example/builds/418"}'`}</Code>
        </div>
      </li>
    </ul>
    <p className="max-w-[68ch] text-muted">
      At most 20 of each for one approval, and 20,000 characters of additions. Additions are taken while it is pending,
      reports once it is resolved; otherwise the reply is 409.
    </p>
  </>
);
