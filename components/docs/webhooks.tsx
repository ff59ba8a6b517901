import { PlainLink } from "@/components/ui/plain-link";
import { Code, Li, P } from "./section";

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
    <P>
      For servers: add an address on your app’s page under <PlainLink href="/developer">Developer</PlainLink>, and every
      event of every owner who lets the app in is sent there by POST, as far as the owner allows your app to read it.
      The body is what `GET /api/events` gives, with the time as text and `sub`, whose event it is: the owner as
      `/oauth/introspect` and the token reply (`owner`) name them. Compare it with the owner you asked, since every
      owner can let your app in.
    </P>
    <Code>{body}</Code>
    <P>
      Messages are signed as <strong>Standard Webhooks 1.0</strong> says: `webhook-id`, `webhook-timestamp`,
      `webhook-signature`. A library checks that, in TypeScript
    </P>
    <Code>{typescript}</Code>
    <p>or Python:</p>
    <Code>{python}</Code>
    <ul className="grid max-w-[68ch] list-disc gap-2 ps-5">
      <Li>
        <strong>Answer 2xx within 15 seconds.</strong> Anything else counts as failed, including redirects. It is tried
        ten times: at once, after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. With 429 or 503
        `Retry-After` is honoured, up to a day. A 410 switches the webhook off, and so do three days without a success.
      </Li>
      <Li>
        <strong>The same event may come twice,</strong> always with the same `webhook-id`. Remember the ids you have
        seen.
      </Li>
      <Li>
        <strong>No order is promised:</strong> events come several at a time, two at first and up to 32 while you answer
        2xx. Sort by `createdAt` where order matters.
      </Li>
      <Li>
        <strong>Nothing is lost:</strong> what you missed for longer is in `GET /api/events`. What an owner revokes is
        no longer sent.
      </Li>
      <li>
        <strong>A new secret</strong> signs beside the old one for 24 hours: switch your server over in that time.
      </li>
    </ul>
  </>
);
