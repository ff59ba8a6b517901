import { Badge } from "@/components/ui/badge";
import type { ErrorEntry, Reference, ScopeEntry } from "@/lib/api/reference";
import { Marked } from "./section";

type Row = readonly [name: string, text: React.ReactNode, note?: React.ReactNode];
type TableProps = { rows: readonly Row[]; name?: (name: string) => React.ReactNode };

/** Names as programs write them, each with what it means and what else there is to say. */
const Table = ({ rows, name: shown = asCode }: TableProps) => (
  <dl className="divide-y divide-line">
    {rows.map(([name, text, note]) => (
      <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <dt>{shown(name)}</dt>
        <dd>
          <p>{text}</p>
          {note === undefined ? null : <p className="text-muted">{note}</p>}
        </dd>
      </div>
    ))}
  </dl>
);

const asCode = (name: string) => <code className="font-mono text-xs font-semibold">{name}</code>;
const marked = (text: string) => <Marked>{text}</Marked>;

/** Every permission: what the app may do with it, and what the owner reads. */
export const Scopes = ({ scopes }: { scopes: readonly ScopeEntry[] }) => (
  <Table
    rows={scopes.map(({ scope, sentence, api, usual, sensitive }) => [
      scope,
      <>
        {api}
        {sensitive || usual ? (
          <span className="ms-2">
            {sensitive ? <Badge tone="warn">never ticked in advance</Badge> : <Badge>usual</Badge>}
          </span>
        ) : null}
      </>,
      `The owner reads: “${sentence}”.`,
    ])}
  />
);

/** Every status that is no success. */
export const Errors = ({ errors }: { errors: readonly ErrorEntry[] }) => (
  <Table
    rows={errors.map(({ status, means, advice }) => [String(status), means, marked(advice)])}
    name={(status) => <span className="font-mono font-semibold">{status}</span>}
  />
);

/** What the interface leaves open and this service does not take. */
export const Narrower = ({ narrower }: Pick<Reference, "narrower">) => (
  <Table rows={narrower.map(({ what, takes, why }) => [what, marked(takes), why])} name={marked} />
);

const extras = {
  url: "An https address. The owner sees its host beside the link.",
  priority: "`low`, `normal`, `high` or `urgent`. Urgent breaks the owner’s quiet hours if they allow it.",
  dedupeKey: "A newer notification of yours with the same key replaces the older one.",
  expiresAt: "Epoch milliseconds. It is done from then on.",
  format: "`plain` or `markdown`: how the body is shown.",
};

/** What `data.inbox` of a notification asks of the owner's pages. */
export const InboxExtras = () => (
  <Table rows={Object.entries(extras).map(([name, text]) => [`data.inbox.${name}`, marked(text)])} />
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
export const Standings = () => <Table rows={standings} />;

const kinds = [
  ["identity", "Who the account is: always there."],
  ["mail", "Messages, read or sent."],
  ["calendar", "Calendars and events."],
  ["contacts", "People."],
  ["files", "Documents and folders."],
  ["tasks", "Lists of things to do."],
] as const;

/** What the entries of `buckets` mean. */
export const Kinds = () => <Table rows={kinds} />;
