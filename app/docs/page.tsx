import { QuickStart, Thread, Waiting } from "@/components/docs/asking";
import { Endpoint } from "@/components/docs/endpoint";
import { Programs } from "@/components/docs/programs";
import { Proof } from "@/components/docs/proof";
import { Code, Li, P, Section } from "@/components/docs/section";
import { Errors, InboxExtras, Kinds, Narrower, Scopes, Standings } from "@/components/docs/tables";
import { Webhooks } from "@/components/docs/webhooks";
import { Wordmark } from "@/components/layout/wordmark";
import { buttonClass } from "@/components/ui/button";
import { PlainLink } from "@/components/ui/plain-link";
import { reference as read } from "@/lib/api/reference";
import { env } from "@/lib/env";
import { verifierInPython, verifierInTypeScript } from "@/lib/receipts/verifiers";

export const metadata = { title: "API documentation" };

/** Every part, by its id. */
const titles = {
  "quick-start": "Quick start in five minutes",
  tokens: "Getting a token",
  permissions: "Permissions",
  waiting: "Getting the answer",
  programs: "Programs, agents, shells",
  webhooks: "Webhooks",
  proof: "Deadlines and receipts",
  talk: "Questions back, and outcomes",
  endpoints: "Endpoints",
  errors: "Errors",
  "linked-accounts": "Linked accounts",
  "good-to-know": "Good to know",
  narrower: "Limits on input",
  security: "Security",
};
const part = (id: keyof typeof titles, children: React.ReactNode) => (
  <Section id={id} title={titles[id]}>
    {children}
  </Section>
);

/** Plain links and no script of its own: it reads the same everywhere, and for everybody. */
export default function Docs() {
  const { publicUrl, securityContact } = env();
  const reference = read(publicUrl);
  const { baseUrl, endpoints, scopes, errors, narrower } = reference;
  return (
    <div className="mx-auto grid max-w-6xl gap-x-10 px-4 py-5 sm:px-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <header className="col-span-full mb-6 flex flex-wrap items-center justify-between gap-3">
        <Wordmark mark="size-7" />
        <a href="/developer" className={buttonClass({ size: "small" })}>
          Developer
        </a>
      </header>
      <nav aria-label="On this page" className="mb-6 self-start lg:sticky lg:top-5">
        <ul className="flex flex-wrap gap-x-5 lg:grid">
          {Object.entries(titles).map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`} className="link inline-flex min-h-11 items-center lg:min-h-8">
                {title}
              </a>
            </li>
          ))}
        </ul>
        <ul className="mt-2 hidden border-s border-line ps-3 lg:grid">
          {endpoints.map(({ id, summary }) => (
            <li key={id}>
              <a href={`#${id}`} className="link inline-flex min-h-7 items-center text-xs">
                {summary}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="grid min-w-0 gap-8">
        <div>
          <h1 className="text-xl">API documentation</h1>
          <p className="mt-2 max-w-[68ch] text-muted">
            Your program asks a question, its owner answers, your program goes on. It can also send notifications and
            see which accounts the owner linked. Everything is JSON over HTTPS at{" "}
            <code className="mono">{baseUrl}</code>.
          </p>
          <p className="mt-3 flex flex-wrap gap-2">
            <a href="/api/openapi.json" download="countersign-openapi.json" className={buttonClass({ size: "small" })}>
              Download openapi.json
            </a>
            <a href="/countersign.postman_collection.json" download className={buttonClass({ size: "small" })}>
              Collection for Postman, Bruno, Insomnia
            </a>
          </p>
        </div>
        {part("quick-start", <QuickStart reference={reference} />)}
        <Section id="tokens" title={titles.tokens}>
          <P>
            Every request carries a token of one owner: `Authorization: Bearer …`. It opens what that owner allowed, and
            nothing once they revoke it. There are three ways to get one.
          </P>
          <ul className="grid max-w-[68ch] list-disc gap-2 ps-5">
            <li>
              <strong>For yourself:</strong> a personal token from the page of your app. No code needed.
            </li>
            <Li>
              <strong>For others:</strong> OAuth 2.1, the authorization code with PKCE (S256). Send the owner’s browser
              to <code className="mono">{baseUrl}/oauth/authorize</code>; they decide on the consent screen. They may
              allow less than you asked for: the token reply’s `scope` says what you have, and its `owner` whose it is.
              Programs without a browser use the device flow.
            </Li>
            <Li>
              <strong>For agents:</strong> MCP clients find everything they need at{" "}
              <code className="mono">{baseUrl}/api/mcp</code>: they register, ask, and get five tools, among them
              `ask_owner`. With `?tools=all` after the address they get all the endpoints below. A token opens either
              MCP or the endpoints.
            </Li>
          </ul>
          <p>All endpoints, for libraries that read them:</p>
          <Code>{`${baseUrl}/.well-known/oauth-authorization-server`}</Code>
        </Section>
        <Section id="permissions" title={titles.permissions}>
          <p className="max-w-[68ch]">
            Owners allow each one separately. Say on your app’s page why you need it: they see it in quotes.
          </p>
          <Scopes scopes={scopes} />
        </Section>
        {part("waiting", <Waiting baseUrl={baseUrl} />)}
        {part("programs", <Programs baseUrl={baseUrl} />)}
        {part("webhooks", <Webhooks />)}
        {part("proof", <Proof baseUrl={baseUrl} typescript={verifierInTypeScript} python={verifierInPython} />)}
        {part("talk", <Thread baseUrl={baseUrl} />)}
        <Section id="endpoints" title={titles.endpoints}>
          {endpoints.map((endpoint) => (
            <Endpoint key={endpoint.id} endpoint={endpoint} />
          ))}
        </Section>
        <Section id="errors" title={titles.errors}>
          <P>
            A refusal explains itself in `error`, and with 400 field by field in `details`. Every reply has an
            `X-Request-Id`; the <PlainLink href="/developer/requests">list of requests</PlainLink> shows it for seven
            days.
          </P>
          <Code>{`{"error":"Bad request","details":[{"path":"options","message":"Required"}]}`}</Code>
          <Errors errors={errors} />
        </Section>
        <Section id="linked-accounts" title={titles["linked-accounts"]}>
          <P>
            `GET /api/integrations` lists the accounts elsewhere that the owner lets your app see: that they exist,
            whether they work and which kinds of data they give. It gives no access to them. `status` says who acts
            next:
          </P>
          <Standings />
          <P>
            `buckets` are the kinds of data the owner granted something of, whatever the provider calls them. What is
            not in the list was not granted.
          </P>
          <Kinds />
        </Section>
        <Section id="good-to-know" title={titles["good-to-know"]}>
          <ul className="grid max-w-[68ch] list-disc gap-2 ps-5">
            <Li>
              <strong>Retries:</strong> with an `Idempotency-Key` of your own, the same request sent again within 24
              hours gives the first answer again and does nothing twice.
            </Li>
            <Li>
              <strong>Lists</strong> come newest first. While there is more, `nextCursor` is what to send as `cursor`.
            </Li>
            <Li>
              <strong>Limits:</strong> `RateLimit` in every reply says how much is left.
            </Li>
            <li>
              <strong>Texts</strong> are kept exactly as sent or refused. Fields that do not exist are refused by name,
              so that a typo cannot lose what the owner should have read.
            </li>
            <li>
              <strong>What may grow:</strong> replies may gain fields, and their lists of allowed values may gain
              values. Ignore what you do not know.
            </li>
            <Li>
              <strong>Times</strong> are epoch milliseconds. What is absent has no field; a `null` that you send counts
              as absent.
            </Li>
          </ul>
          <h3 className="mt-2 text-base">How a notification is shown</h3>
          <P>
            `data` is yours and comes back unchanged. What is in `data.inbox` also tells the owner’s pages how to show
            it. What they cannot use is ignored, never refused; the list of requests says so.
          </P>
          <InboxExtras />
        </Section>
        <Section id="narrower" title={titles.narrower}>
          <p className="max-w-[68ch]">
            The interface does not say how much a field may hold. This service accepts everything but this:
          </p>
          <Narrower narrower={narrower} />
        </Section>
        <Section id="security" title={titles.security}>
          <P>
            Found a weakness in this service? Please tell only its operator
            {securityContact ? (
              <>
                : <PlainLink href={securityContact}>{securityContact.replace(/^mailto:/, "")}</PlainLink>
              </>
            ) : null}
            . Report weaknesses in Countersign itself to its maintainers, as `SECURITY.md` in its source says.
          </P>
        </Section>
      </main>
    </div>
  );
}
