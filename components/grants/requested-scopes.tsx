"use client";
import { Knob } from "@/components/ui/fields/switch-checkbox";
import type { ConsentOffer } from "@/lib/grants/schema";
import type { Scope } from "@/lib/scopes";
import { ScopeBox } from "./consent-fields";

type AddedScopes = ConsentOffer["requested"];
type RequestedProps = {
  /** New permissions, least risky first. */
  added: AddedScopes;
  /** The permissions that are on now. */
  chosen: ReadonlySet<string>;
  fresh: boolean;
  isNew: boolean;
  count: () => void;
  /** Turns several permissions on or off. Undefined without scripts. */
  set: ((scopes: readonly Scope[], on: boolean) => void) | undefined;
};

const asking: readonly Scope[] = ["approvals:write", "approvals:read"];

/**
 * The permissions that the app asks for. The permission to ask and the permission to read the
 * answer form a group.
 */
export function RequestedScopes({ added, chosen, set, count, ...rest }: RequestedProps) {
  const pair = added.filter(({ scope }) => asking.includes(scope));
  const together = pair.length === asking.length;
  const others = together ? added.filter((each) => !pair.includes(each)) : added;
  return (
    <fieldset onChange={count} className="divide-y divide-line">
      <legend className="sr-only">Permissions</legend>
      {together ? (
        <div>
          <PairHeading pair={pair} chosen={chosen} set={set} />
          {pair.map((each) => (
            <ScopeBox
              key={each.scope}
              request={each}
              {...rest}
              {...(each.scope === "approvals:write" && {
                unheard: "Without the permission below, the app can’t see your answer.",
              })}
              className="ps-8! [&_.font-medium]:font-normal"
            />
          ))}
        </div>
      ) : null}
      {others.map((each) => (
        <ScopeBox
          key={each.scope}
          request={each}
          {...rest}
          {...(each.scope === "approvals:write" && { unheard: "The app can’t see your answer." })}
        />
      ))}
    </fieldset>
  );
}

type PairHeadingProps = Pick<RequestedProps, "chosen" | "set"> & { pair: AddedScopes };

/**
 * The heading for the permissions to ask and to read the answers. With scripts, one switch sets
 * both.
 */
function PairHeading({ pair, chosen, set }: PairHeadingProps) {
  const on = pair.filter(({ scope }) => chosen.has(scope)).length;
  const words = (
    <span className="min-w-0">
      <span className="block font-medium">Ask you questions and see your answers</span>
      <span className="block text-xs text-muted">Only this app’s questions and answers</span>
    </span>
  );
  const row = "flex min-h-12 w-full items-center justify-between gap-4 px-4 py-2.5 text-start sm:min-h-10 sm:py-1";
  if (!set || pair.every(({ required }) => required)) return <div className={row}>{words}</div>;
  const all = on === pair.length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a checkbox would be one of the form's fields.
    <button
      type="button"
      role="checkbox"
      aria-checked={all ? true : on > 0 ? "mixed" : false}
      aria-label="Ask you questions and see your answers"
      onClick={() =>
        set(
          pair.map(({ scope }) => scope),
          !all,
        )
      }
      className={row}
    >
      {words}
      <span
        className={`relative h-6.5 w-11 shrink-0 rounded-full border transition-colors ${all ? "border-ink bg-ink forced-colors:bg-[Highlight]" : "border-edge bg-fill"}`}
      >
        <Knob
          className={
            all
              ? "translate-x-4.5 bg-on-ink rtl:-translate-x-4.5"
              : on > 0
                ? "translate-x-2.25 rtl:-translate-x-2.25"
                : ""
          }
        />
      </span>
    </button>
  );
}
