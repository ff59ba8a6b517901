import { Checkbox } from "@/components/ui/fields/checkbox";
import { WarningIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ConsentOffer } from "@/lib/grants/schema";
import { TechnicalNames } from "./technical-names";

type GivenProps = { view: ConsentOffer; given: ConsentOffer["requested"]; count: () => void };

/** Earlier permissions, folded: requested ones are selected, others are only listed. */
export function Given({ view, given, count }: GivenProps) {
  const before = given.length + view.alreadyGranted.length;
  if (before === 0) return null;
  return (
    <details className="border-t border-line pt-1">
      <summary className="link flex min-h-11 items-center">Already allowed: {before}</summary>
      {given.length > 0 ? <p className="text-muted">Clear a permission to revoke it.</p> : null}
      <div onChange={count}>
        {given.map((each) => (
          <ScopeBox key={each.scope} request={each} />
        ))}
      </div>
      {view.alreadyGranted.map(({ scope, sentence }) => (
        <p key={scope} className="py-1 ps-8">
          {sentence} <span className="text-muted">(not part of this request; stays allowed)</span>
        </p>
      ))}
    </details>
  );
}

/** Not selected by default, like all new permissions. */
export function Accounts({ accounts }: { accounts: ConsentOffer["integrations"] }) {
  if (accounts.length === 0) return null;
  return (
    <fieldset className="border-t border-line pt-2">
      <legend className="float-start w-full font-semibold">Linked accounts this app can see</legend>
      <p className="clear-both text-muted">Their addresses and types of data, never their contents.</p>
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

/** Keeping the default never turns a limited permission into an unlimited one. */
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

/** The technical names of the requested scopes. */
export const Names = ({ view: { requested, alreadyGranted } }: { view: ConsentOffer }) => (
  <TechnicalNames scopes={[...requested, ...alreadyGranted]} />
);

type AskedScope = ConsentOffer["requested"][number];

/**
 * One permission: our sentence, and the app's reason in its own words. A required one is checked
 * and locked. Browsers don't submit locked boxes, so a hidden field carries its value.
 */
export function ScopeBox({ request, isNew = false }: { request: AskedScope; isNew?: boolean }) {
  const { scope, sentence, sensitive, required, purpose, grantedAt } = request;
  const detail = (
    <>
      {purpose ? (
        <q className="block">
          <bdi>{purpose}</bdi>
        </q>
      ) : null}
      {sensitive ? "The app could approve its own requests. Most apps don’t need this." : null}
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
            {sentence} {isNew ? <span className="ms-1 rounded-md bg-fill px-1.5 text-xs text-ink">new</span> : null}
            {required ? (
              <span className="ms-1 rounded-md bg-line px-1.5 text-xs whitespace-nowrap">required</span>
            ) : null}
          </>
        }
        {...(purpose || sensitive ? { detail } : {})}
      />
      {scope === "approvals:write" ? (
        // Shown by CSS until the other box is checked, so that it works without scripts.
        <p role="status" className="hidden pb-2 ps-8 text-warn unheard:block">
          The app can’t read your answer.
        </p>
      ) : null}
    </>
  );
}
