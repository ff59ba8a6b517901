import { Code } from "./section";

const auth = `-H "Authorization: Bearer $TOKEN"`;

/** How a program hears of the answer without asking again and again. */
export const Waiting = ({ baseUrl }: { baseUrl: string }) => (
  <>
    <p className="max-w-[68ch]">
      You need not poll. There are three ways to ask once, and{" "}
      <a href="#webhooks" className="link">
        webhooks
      </a>{" "}
      to be told. Each responds the moment the owner answers, and none can lose the answer.
    </p>
    <ul className="grid max-w-[68ch] list-disc gap-3 pl-5">
      <li>
        <strong>Wait:</strong> with <code className="mono">wait</code>, 1 to 60 seconds, the reply comes when there is
        an answer, or when its deadline passes. When the time is up it is the approval as it stands, still{" "}
        <code className="mono">pending</code>, with <code className="mono">Retry-After</code>: ask again.
        <div className="mt-2">
          <Code>{`curl "${baseUrl}/api/approvals/$ID?wait=60" \\\n  ${auth}`}</Code>
        </div>
      </li>
      <li>
        <strong>Ask and wait in one call:</strong> <code className="mono">POST /api/approvals?wait=60</code> returns the
        approval with its <code className="mono">id</code>. With an <code className="mono">Idempotency-Key</code> the
        same request again asks nothing new and keeps waiting.
      </li>
      <li>
        <strong>Read events:</strong> everything that happened, in order, even for programs that were down. Keep{" "}
        <code className="mono">nextCursor</code>, and send it as <code className="mono">after</code> next time.
        <div className="mt-2">
          <Code>{`curl "${baseUrl}/api/events?wait=60&after=$CURSOR" \\\n  ${auth}`}</Code>
        </div>
        As a stream of server-sent events it stays open; clients that reconnect continue where they were.
        <div className="mt-2">
          <Code>{`curl -N "${baseUrl}/api/events" \\\n  ${auth} \\\n  -H "Accept: text/event-stream"`}</Code>
        </div>
      </li>
    </ul>
    <p className="max-w-[68ch] text-muted">
      For one app and owner at most a hundred requests wait and ten streams are open at a time, at each copy of the
      service; beyond that the reply is 429.
    </p>
  </>
);
