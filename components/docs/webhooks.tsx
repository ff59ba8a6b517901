import { Code } from "./section";

const body = `{"id":"evt_…","type":"approval.resolved","createdAt":1795000000000,
 "timestamp":"2026-11-18T11:06:40.000Z","sub":"own_…",
 "data":{"id":"apr_…","resolution":{"kind":"option","optionId":"ship","resolvedBy":"owner","resolvedAt":1795000000000}}}`;

const typescript = `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);   // whsec_…

createServer(async (request, response) => {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  let event;
  try {
    event = webhook.verify(body, request.headers);   // the body as it came, not parsed
  } catch {
    return response.writeHead(400).end();
  }
  if (!(await seenBefore(event.id))) await enqueue(event);
  response.writeHead(204).end();   // at once: work on it afterwards
}).listen(8080);`;

const python = `import os
from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])   # whsec_…

@app.post("/hooks")
def hooks():
    try:
        event = webhook.verify(request.get_data(as_text=True), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    if not seen_before(event["id"]):
        enqueue(event)
    return "", 204`;

/** How a server is told, and how it knows who tells. */
export const Webhooks = () => (
  <>
    <p className="max-w-[68ch]">
      For servers: add an address on your app’s page under{" "}
      <a href="/developer" className="link">
        Developer
      </a>
      , and every event of every owner who lets the app in is sent there by POST, as far as the owner allows your app to
      read it. The body is what <code className="mono">GET /api/events</code> gives, with the time as text and{" "}
      <code className="mono">sub</code>, whose event it is: the owner as <code className="mono">/oauth/introspect</code>{" "}
      and the token reply (<code className="mono">owner</code>) name them. Compare it with the owner you asked, since
      every owner can let your app in.
    </p>
    <Code>{body}</Code>
    <p className="max-w-[68ch]">
      Messages are signed as <strong>Standard Webhooks 1.0</strong> says: <code className="mono">webhook-id</code>,{" "}
      <code className="mono">webhook-timestamp</code>, <code className="mono">webhook-signature</code>. A library checks
      that, in TypeScript
    </p>
    <Code>{typescript}</Code>
    <p>or Python:</p>
    <Code>{python}</Code>
    <ul className="grid max-w-[68ch] list-disc gap-2 pl-5">
      <li>
        <strong>Answer 2xx within 15 seconds.</strong> Anything else counts as failed, including redirects. It is tried
        ten times: at once, after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. With 429 or 503{" "}
        <code className="mono">Retry-After</code> is honoured, up to a day. A 410 switches the webhook off, and so do
        three days without a success.
      </li>
      <li>
        <strong>The same event may come twice,</strong> always with the same <code className="mono">webhook-id</code>,
        and not always in order. Remember the ids you have seen.
      </li>
      <li>
        <strong>Nothing is lost:</strong> what you missed for longer is in <code className="mono">GET /api/events</code>
        . What an owner revokes is no longer sent.
      </li>
      <li>
        <strong>A new secret</strong> signs beside the old one for 24 hours: switch your server over in that time.
      </li>
    </ul>
  </>
);
