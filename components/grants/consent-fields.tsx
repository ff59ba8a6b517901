import { Checkbox } from "@/components/ui/fields/checkbox";
import { WarningIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ConsentOffer } from "@/lib/grants/schema";
import { TechnicalNames } from "./technical-names";

type GivenProps = { view: ConsentOffer; given: ConsentOffer["requested"]; count: () => void };

/** What was allowed before, folded: ticked where it is asked again, told where it is not. */
export function Given({ view, given, count }: GivenProps) {
  const before = given.length + view.alreadyGranted.length;
  if (before === 0) return null;
  return (
    <details className="border-t border-line pt-1">
      <summary className="link flex min-h-11 items-center">Already allowed: {before}</summary>
      {given.length > 0 ? <p className="text-muted">Untick a permission to take it back.</p> : null}
      <div onChange={count}>
        {given.map((each) => (
          <ScopeBox key={each.scope} asked={each} />
        ))}
      </div>
      {view.alreadyGranted.map(({ scope, sentence }) => (
        <p key={scope} className="py-1 ps-8">
          {sentence} <span className="text-muted">(not part of this request; it stays)</span>
        </p>
      ))}
    </details>
  );
}

/** Unticked like everything else it does not have yet. */
export function Accounts({ accounts }: { accounts: ConsentOffer["integrations"] }) {
  if (accounts.length === 0) return null;
  return (
    <fieldset className="border-t border-line pt-2">
      <legend className="float-start w-full font-semibold">Linked accounts it may know about</legend>
      <p className="clear-both text-muted">Their addresses and kinds of data, never what is in them.</p>
      <div>
        {accounts.map(({ id, provider, email, label, shared }) => (
          <Checkbox
            key={id}
            name="integration"
            value={id}
            defaultChecked={shared}
            label={<bdi>{label ?? email}</bdi>}
            detail={label ? `${provider} · ${email}` : provider}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** A permission that has an end is not made endless by leaving the choice alone. */
export function Duration({ endsAt }: { endsAt: number | undefined }) {
  return (
    <label className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-3 font-medium">
      For how long
      <select
        name="days"
        defaultValue={endsAt === undefined ? "" : "30"}
        className="min-h-11 grow rounded-lg border border-edge bg-raised px-3 text-base font-normal sm:min-h-9 sm:max-w-56 sm:text-sm"
      >
        <option value="">Until I revoke it</option>
        <option value="90">90 days</option>
        <option value="30">30 days</option>
        <option value="1">1 day</option>
      </select>
      {endsAt === undefined ? null : (
        <span className="font-normal text-muted">
          now ends <TimeAgo at={endsAt} />
        </span>
      )}
    </label>
  );
}

/** What the app and its developer call what it asks for. */
export const Names = ({ view: { requested, alreadyGranted } }: { view: ConsentOffer }) => (
  <TechnicalNames scopes={[...requested, ...alreadyGranted]} />
);

type AskedScope = ConsentOffer["requested"][number];

/**
 * One permission: the sentence the owner reads, and why the app wants it in its own words. What the app cannot do without is
 * ticked and stays so: a locked box is not sent, so its value goes along hidden.
 */
export function ScopeBox({ asked, isNew = false }: { asked: AskedScope; isNew?: boolean }) {
  const { scope, sentence, sensitive, required, purpose, grantedAt } = asked;
  const detail = (
    <>
      {purpose ? (
        <q className="block">
          <bdi>{purpose}</bdi>
        </q>
      ) : null}
      {sensitive ? "It could say yes to itself. Most apps do not need this." : null}
    </>
  );
  return (
    <>
      {required ? <input type="hidden" name="scope" value={scope} /> : null}
      <Checkbox
        name="scope"
        value={scope}
        defaultChecked={grantedAt !== undefined || required}
        disabled={required}
        {...(sensitive ? { "data-sensitive": true } : {})}
        label={
          <>
            {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
            {sentence}{" "}
            {isNew ? <span className="ms-1 rounded bg-accent-soft px-1.5 text-xs text-accent">new</span> : null}
            {required ? (
              <span className="ms-1 rounded bg-line px-1.5 text-xs whitespace-nowrap">needed to work</span>
            ) : null}
          </>
        }
        {...(purpose || sensitive ? { detail } : {})}
      />
      {scope === "approvals:write" ? (
        // For as long as the other box is not ticked: by style, which works without scripts too.
        <p role="status" className="hidden pb-2 ps-8 text-warn unheard:block">
          It will not hear your answer.
        </p>
      ) : null}
    </>
  );
}
