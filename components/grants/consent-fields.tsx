"use client";
import { useState } from "react";
import { SwitchCheckbox } from "@/components/ui/fields/switch-checkbox";
import { ChevronIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ConsentOffer } from "@/lib/grants/schema";

type GivenProps = { view: ConsentOffer; given: ConsentOffer["requested"]; count: () => void };

/**
 * A collapsed section with the permissions that the owner has already allowed. Those that the app
 * requests again are checkboxes, which are selected by default. The others are only listed.
 */
export function Given({ view, given, count }: GivenProps) {
  const before = given.length + view.alreadyGranted.length;
  if (before === 0) return null;
  return (
    <details className="group">
      <summary className={row}>
        <span className="font-medium">Already allowed: {before}</span>
        <ChevronIcon className="size-4 rotate-90 text-muted group-open:-rotate-90" />
      </summary>
      {given.length > 0 ? <p className="px-4 text-xs text-muted">Turn a permission off to revoke it.</p> : null}
      <div onChange={count}>
        {given.map((each) => (
          <ScopeBox
            key={each.scope}
            request={each}
            {...(each.scope === "approvals:write" && { unheard: "The app can’t see your answer." })}
          />
        ))}
      </div>
      {view.alreadyGranted.map(({ scope, sentence }) => (
        <p key={scope} className="px-4 pb-2.5">
          {sentence} <span className="text-muted">(not part of this request; stays allowed)</span>
        </p>
      ))}
    </details>
  );
}

const row = "flex min-h-12 items-center justify-between gap-4 px-4 py-2.5 sm:min-h-10 sm:py-1";

/**
 * A collapsed section with the linked accounts. By default, only accounts that the app can already
 * see are selected.
 */
export function Accounts({ accounts }: { accounts: ConsentOffer["integrations"] }) {
  const [shown, setShown] = useState(accounts.filter(({ shared }) => shared).length);
  if (accounts.length === 0) return null;
  return (
    <details className="group">
      <summary className={row}>
        <span>
          <span className="font-medium">Accounts the app can see</span>
          <span className="block text-xs text-muted">Status and types of data, but no contents</span>
        </span>
        <span className="flex items-center gap-1 whitespace-nowrap text-muted">
          {shown === 0 ? "None" : `${shown} of ${accounts.length}`}
          <ChevronIcon className="size-4 group-open:rotate-90" />
        </span>
      </summary>
      {/* Restoring a selection after a sign-in also causes an input event. */}
      <fieldset
        onInput={({ currentTarget }) => setShown(currentTarget.querySelectorAll(":checked").length)}
        className="divide-y divide-line border-t border-line"
      >
        <legend className="sr-only">Accounts the app can see</legend>
        {accounts.map(({ id, provider, email, label, shared }) => (
          <SwitchCheckbox
            key={id}
            name="integration"
            value={id}
            defaultChecked={shared}
            label={<bdi>{label ?? email}</bdi>}
            detail={label ? `${provider} · ${email}` : provider}
          />
        ))}
      </fieldset>
    </details>
  );
}

/**
 * A menu of durations. The default is unlimited access, or 30 days if the current access expires.
 */
export function Duration({ endsAt }: { endsAt: number | undefined }) {
  return (
    <label className={row}>
      <span>
        <span className="font-medium">Access ends</span>
        {endsAt === undefined ? null : (
          <span className="block text-xs text-muted">
            Currently ends <TimeAgo at={endsAt} />
          </span>
        )}
      </span>
      <span className="relative -my-1 min-w-0">
        <select
          name="days"
          defaultValue={endsAt === undefined ? "" : "30"}
          className="min-h-11 max-w-full sm:min-h-9 appearance-none rounded-lg bg-transparent ps-3 pe-5 text-end text-base text-muted sm:text-sm"
        >
          <option value="">When you revoke access</option>
          <option value="90">In 90 days</option>
          <option value="30">In 30 days</option>
          <option value="1">In 1 day</option>
        </select>
        <ChevronIcon className="pointer-events-none absolute inset-e-0 top-3.5 size-4 text-muted sm:top-2.5" />
      </span>
    </label>
  );
}

type AskedScope = ConsentOffer["requested"][number];
type ScopeBoxProps = {
  request: AskedScope;
  isNew?: boolean;
  /**
   * Whether the owner signed in recently. If not, allowing a sensitive scope requires signing in
   * again.
   */
  fresh?: boolean;
  /** The hint shown if the app could ask questions but not read the answers. */
  unheard?: string;
  className?: string;
};

/**
 * One permission: our sentence, and the app's reason in its own words. A required permission is
 * checked and locked. Browsers don't submit locked boxes, so a hidden field carries its scope.
 */
export function ScopeBox({ request, isNew = false, fresh = true, unheard, className = "" }: ScopeBoxProps) {
  const { scope, sentence, sensitive, required, purpose, grantedAt } = request;
  const detail = (
    <>
      {purpose ? (
        <q className="block">
          <bdi>{purpose}</bdi>
        </q>
      ) : null}
      {sensitive ? "The app can approve its own requests." : null}
      {sensitive && !fresh ? <span className="block">We’ll ask you to sign in again.</span> : null}
    </>
  );
  return (
    <div>
      {required ? <input type="hidden" name="scope" value={scope} /> : null}
      <SwitchCheckbox
        name="scope"
        value={scope}
        defaultChecked={grantedAt !== undefined || required}
        disabled={required}
        className={className}
        label={
          <>
            <span className={sensitive ? "text-danger" : ""}>{sentence}</span>{" "}
            {isNew ? <span className="ms-1 rounded-md bg-fill px-1.5 text-xs text-ink">new</span> : null}
            {required ? (
              <span className="ms-1 rounded-md bg-line px-1.5 text-xs whitespace-nowrap">required</span>
            ) : null}
          </>
        }
        {...(purpose || sensitive ? { detail } : {})}
      />
      {unheard ? (
        // CSS shows the hint until the box for reading answers is checked, even without scripts.
        <p role="status" className={`hidden px-4 pb-2.5 text-xs text-warn unheard:block ${className}`}>
          {unheard}
        </p>
      ) : null}
    </div>
  );
}
