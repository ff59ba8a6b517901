import { PlainLink } from "@/components/ui/plain-link";
import type { Reference } from "@/lib/api/reference";
import { Code, Li } from "./section";

/** What to type, below the words of an entry. */
const Below = ({ children }: { children: string }) => (
  <div className="mt-2">
    <Code>{children}</Code>
  </div>
);

/** From nothing to a question that was answered, in five steps. */
export function QuickStart({ reference: { endpoints } }: { reference: Reference }) {
  const curl = (id: string) => endpoints.find((endpoint) => endpoint.id === id)?.curl ?? "";
  return (
    <ol className="grid list-decimal gap-4 ps-5 marker:font-semibold marker:text-muted">
      <li>
        <PlainLink href="/developer">Register an app</PlainLink>. A name is enough to begin with.
      </li>
      <Li>
        On its page, create a personal token with `approvals:write` and `approvals:read`. Keep it in your shell:
        <Below>{`export TOKEN=…`}</Below>
      </Li>
      <li>
        Ask a question. The reply has its id.
        <Below>{curl("submitApproval")}</Below>
      </li>
      <li>
        Answer it in <PlainLink href="/approvals">Approvals</PlainLink>.
      </li>
      <Li>
        Read the answer. Go on only when `status` is `resolved`, and by what `resolution` says.
        <Below>{`export ID=…   # from step 3\n${curl("getApproval")}`}</Below>
      </Li>
    </ol>
  );
}

const auth = `-H "Authorization: Bearer $TOKEN"`;

/** How a program hears of the answer without asking again and again. */
export const Waiting = ({ baseUrl }: { baseUrl: string }) => (
  <>
    <p className="max-w-[68ch]">
      You need not poll. There are three ways to ask once, and <PlainLink href="#webhooks">webhooks</PlainLink> to be
      told. Each responds the moment the owner answers, and none can lose the answer.
    </p>
    <ul className="grid max-w-[68ch] list-disc gap-3 ps-5">
      <Li>
        <strong>Wait:</strong> with `wait`, 1 to 60 seconds, the reply comes when there is an answer, or when its
        deadline passes. When the time is up it is the approval as it stands, still `pending`, with `Retry-After`: ask
        again.
        <Below>{`curl "${baseUrl}/api/approvals/$ID?wait=60" \\\n  ${auth}`}</Below>
      </Li>
      <Li>
        <strong>Ask and wait in one call:</strong> `POST /api/approvals?wait=60` returns the approval with its `id`.
        With an `Idempotency-Key` the same request again asks nothing new and keeps waiting.
      </Li>
      <Li>
        <strong>Read events:</strong> everything that happened, in order, even for programs that were down. Keep
        `nextCursor`, and send it as `after` next time.
        <Below>{`curl "${baseUrl}/api/events?wait=60&after=$CURSOR" \\\n  ${auth}`}</Below>
        As a stream of server-sent events it stays open; clients that reconnect continue where they were.
        <Below>{`curl -N "${baseUrl}/api/events" \\\n  ${auth} \\\n  -H "Accept: text/event-stream"`}</Below>
      </Li>
    </ul>
    <p className="max-w-[68ch] text-muted">
      For one app and owner at most a hundred requests wait and ten streams are open at a time, at each copy of the
      service; beyond that the reply is 429.
    </p>
  </>
);

/** What may pass between a program and the owner besides one question and one answer. */
export const Thread = ({ baseUrl }: { baseUrl: string }) => (
  <>
    <ul className="grid max-w-[68ch] list-disc gap-3 ps-5">
      <Li>
        <strong>The owner asks back:</strong> the approval stays `pending` and has `questions`. A waiting request
        returns at once, once for each of them; event readers get `approval.question_asked`.
      </Li>
      <li>
        <strong>You add to it:</strong> it appears below your question, which does not change, and returns to the owner.
        Then keep waiting. An addition is optional: the owner may answer without one.
        <Below>{`curl "${baseUrl}/api/approvals/$ID/additions" \\\n  ${auth} -H "Content-Type: application/json" \\\n  -d '{"text":"The soak test ended without errors."}'`}</Below>
      </li>
      <Li>
        <strong>You report the outcome:</strong> `started` when you begin, then `done` or `failed`. The owner’s history
        reads asked, answered, happened. The latest report counts, and none is lost.
        <Below>{`curl "${baseUrl}/api/approvals/$ID/outcome" \\\n  ${auth} -H "Content-Type: application/json" \\\n  -d '{"status":"done","text":"Deployed build 418.","link":"https://ci.example/builds/418"}'`}</Below>
      </Li>
    </ul>
    <p className="max-w-[68ch] text-muted">
      At most 20 of each for one approval, and 20,000 characters of additions. Additions are taken while it is pending,
      reports once it is resolved; otherwise the reply is 409.
    </p>
  </>
);
