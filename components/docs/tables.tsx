import { Badge } from "@/components/ui/badge";
import type { ErrorEntry, Reference, ScopeEntry } from "@/lib/api/reference";
import { Marked } from "./section";

const row = "grid gap-x-4 py-2 sm:grid-cols-[13rem_minmax(0,1fr)]";

/** Every permission: what the app may do with it, and what the owner reads. */
export const Scopes = ({ scopes }: { scopes: readonly ScopeEntry[] }) => (
  <dl className="divide-y divide-line">
    {scopes.map(({ scope, sentence, api, usual, sensitive }) => (
      <div key={scope} className={row}>
        <dt>
          <code className="font-mono text-xs font-semibold">{scope}</code>
        </dt>
        <dd>
          <p>
            {api}
            {sensitive ? (
              <span className="ml-2">
                <Badge tone="warn">never ticked in advance</Badge>
              </span>
            ) : usual ? (
              <span className="ml-2">
                <Badge>usual</Badge>
              </span>
            ) : null}
          </p>
          <p className="text-muted">The owner reads: “{sentence}”.</p>
        </dd>
      </div>
    ))}
  </dl>
);

/** Every status that is no success. */
export const Errors = ({ errors }: { errors: readonly ErrorEntry[] }) => (
  <dl className="divide-y divide-line">
    {errors.map(({ status, means, advice }) => (
      <div key={status} className={row}>
        <dt className="font-mono font-semibold">{status}</dt>
        <dd>
          <p>{means}</p>
          <p className="text-muted">
            <Marked text={advice} />
          </p>
        </dd>
      </div>
    ))}
  </dl>
);

/** What the interface leaves open and this service does not take. */
export const Narrower = ({ narrower }: Pick<Reference, "narrower">) => (
  <dl className="divide-y divide-line">
    {narrower.map(({ what, takes, why }) => (
      <div key={what} className={row}>
        <dt>
          <Marked text={what} />
        </dt>
        <dd>
          <p>
            <Marked text={takes} />
          </p>
          <p className="text-muted">{why}</p>
        </dd>
      </div>
    ))}
  </dl>
);

const extras = [
  ["url", "An https address. The owner sees its host beside the link."],
  ["priority", "`low`, `normal`, `high` or `urgent`. Urgent breaks the owner’s quiet hours if they allow it."],
  ["dedupeKey", "A newer notification of yours with the same key replaces the older one."],
  ["expiresAt", "Epoch milliseconds. It is done from then on."],
  ["format", "`plain` or `markdown`: how the body is shown."],
] as const;

/** What `data.inbox` of a notification asks of the owner's pages. */
export const InboxExtras = () => (
  <dl className="divide-y divide-line">
    {extras.map(([name, text]) => (
      <div key={name} className={row}>
        <dt>
          <code className="font-mono text-xs font-semibold">data.inbox.{name}</code>
        </dt>
        <dd>
          <Marked text={text} />
        </dd>
      </div>
    ))}
  </dl>
);

const standings = [
  ["connected", "It works.", "Nothing to do."],
  ["needs_reauth", "Only the owner can fix it, and has been told.", "Wait. Its id stays the same."],
  ["error", "Its provider is out of reach. The service keeps trying.", "Wait, and ask again later."],
  [
    "disconnected",
    "The owner removed it.",
    "Forget it. It is listed for 30 days, so that you can tell “gone” from “never there”.",
  ],
] as const;

/** What the status of a linked account means for an app. */
export const Standings = () => (
  <dl className="divide-y divide-line">
    {standings.map(([status, means, advice]) => (
      <div key={status} className={row}>
        <dt>
          <code className="font-mono text-xs font-semibold">{status}</code>
        </dt>
        <dd>
          <p>{means}</p>
          <p className="text-muted">{advice}</p>
        </dd>
      </div>
    ))}
  </dl>
);

const kinds = [
  ["identity", "Who the account is: always there."],
  ["mail", "Messages, read or sent."],
  ["calendar", "Calendars and events."],
  ["contacts", "People."],
  ["files", "Documents and folders."],
  ["tasks", "Lists of things to do."],
] as const;

/** What the entries of `buckets` mean. */
export const Kinds = () => (
  <dl className="divide-y divide-line">
    {kinds.map(([kind, means]) => (
      <div key={kind} className={row}>
        <dt>
          <code className="font-mono text-xs font-semibold">{kind}</code>
        </dt>
        <dd>{means}</dd>
      </div>
    ))}
  </dl>
);
