"use client";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { TimeAgo } from "@/components/ui/time-ago";
import { useAlive } from "@/components/ui/use-alive";
import type { ConsentView } from "@/lib/grants/schema";
import { Cannots } from "./asker";
import { ScopeBox } from "./scope-box";
import { useArmed } from "./use-armed";

/**
 * What the app wants, box by box, and the decision. A plain form; with scripts it counts what is ticked and goes to the app
 * by itself, because browsers hold a form's redirects to our own addresses.
 */
export function ConsentForm({ view }: { view: ConsentView }) {
  const form = useRef<HTMLFormElement>(null);
  const [ticked, setTicked] = useState(view.requested.filter(({ grantedAt }) => grantedAt !== undefined).length);
  const [state, setState] = useState<"open" | "sending" | { refused: string }>("open");
  const alive = useAlive();
  const isArmed = useArmed();
  const asked = view.requested.filter(({ grantedAt }) => grantedAt === undefined);
  const given = view.requested.filter(({ grantedAt }) => grantedAt !== undefined);
  const plain = asked.filter(({ sensitive }) => !sensitive);
  const sensitive = asked.filter(({ sensitive }) => sensitive);
  const boxes = () => [...(form.current?.querySelectorAll<HTMLInputElement>("[name=scope]") ?? [])];
  const count = () => setTicked(boxes().filter(({ checked }) => checked).length);

  async function decide(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isArmed() || state === "sending") return;
    setState("sending");
    setState(await send(event.currentTarget, event.nativeEvent.submitter));
  }

  return (
    <form
      ref={form}
      action={`/consent/${view.id}/decide`}
      method="post"
      onSubmit={decide}
      className="group grid gap-4"
      aria-label="What it may do"
    >
      <input type="hidden" name="csrf" value={view.csrf} />
      <div className="grid gap-3 rounded-xl border border-line bg-raised p-4 shadow-card sm:px-5">
        {plain.length + sensitive.length > 0 ? (
          <fieldset onChange={count}>
            <div className="flex items-center justify-between gap-3">
              <legend className="float-left text-base font-semibold">
                <bdi>{view.app.name}</bdi> wants to
              </legend>
              {alive && plain.length > 1 ? (
                <Button
                  variant="quiet"
                  size="small"
                  className="whitespace-nowrap"
                  onClick={() => {
                    for (const box of boxes()) if (!("sensitive" in box.dataset)) box.checked = true;
                    count();
                  }}
                >
                  Select all
                </Button>
              ) : null}
            </div>
            {plain.map((each) => (
              <ScopeBox key={each.scope} asked={each} isNew={given.length > 0} />
            ))}
            {sensitive.map((each) => (
              <div key={each.scope} className="mt-1.5 rounded-lg border border-warn bg-warn-soft px-3">
                <ScopeBox asked={each} isNew={given.length > 0} />
              </div>
            ))}
          </fieldset>
        ) : (
          <p className="font-semibold">It asks for nothing that you did not allow before.</p>
        )}
        <Given view={view} given={given} count={count} />
        <Accounts accounts={view.integrations} all={view.firstTime} />
        <Duration endsAt={view.grantExpiresAt} />
      </div>
      <ul className="grid gap-1.5 px-1 text-muted lg:hidden">
        <Cannots />
      </ul>
      <div className="sticky bottom-0 -mx-4 grid gap-2 border-t border-line bg-bg px-4 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:mx-0 sm:px-0 lg:border-0 lg:pt-0">
        {typeof state === "object" ? <Notice tone="danger">{state.refused}</Notice> : null}
        <div className="grid gap-2 group-has-[[name=scope]:checked]:grid-cols-[2fr_1fr]">
          <Buttons ticked={alive ? ticked : undefined} sending={state === "sending"} />
        </div>
      </div>
    </form>
  );
}

type Given = { view: ConsentView; given: ConsentView["requested"]; count: () => void };

function Given({ view, given, count }: Given) {
  const before = given.length + view.alreadyGranted.length;
  if (before === 0) return null;
  return (
    <details className="border-t border-line pt-1">
      <summary className="link flex min-h-11 items-center">Already allowed: {before}</summary>
      {given.length > 0 ? <p className="text-muted">Untick one to take it back.</p> : null}
      <div onChange={count}>
        {given.map((each) => (
          <ScopeBox key={each.scope} asked={each} />
        ))}
      </div>
      {view.alreadyGranted.map(({ scope, sentence }) => (
        <p key={scope} className="py-1 pl-8">
          {sentence} <span className="mono text-muted">{scope}</span>{" "}
          <span className="text-muted">(not asked now, stays)</span>
        </p>
      ))}
    </details>
  );
}

/** At the first time all are ticked: an app that sees nothing looks broken. Later, those it sees now. */
function Accounts({ accounts, all }: { accounts: ConsentView["integrations"]; all: boolean }) {
  if (accounts.length === 0) return null;
  return (
    <fieldset className="border-t border-line pt-2">
      <legend className="float-left w-full font-semibold">It can also see that you linked these accounts</legend>
      <p className="clear-both text-muted">Their addresses and kinds of data, never what is in them.</p>
      <div>
        {accounts.map(({ id, provider, email, label, shared }) => (
          <Checkbox
            key={id}
            name="integration"
            value={id}
            defaultChecked={all || shared}
            label={
              <>
                <bdi>{label ?? email}</bdi>
                <span className="ml-2 font-normal text-muted">{label ? `${provider} · ${email}` : provider}</span>
              </>
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

/** A permission that has an end is not made endless by leaving the choice alone. */
function Duration({ endsAt }: { endsAt: number | undefined }) {
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

/** Allow comes first, so that Enter never means the other one. With nothing ticked there is only Deny, with or without scripts. */
function Buttons({ ticked, sending }: { ticked: number | undefined; sending: boolean }) {
  return (
    <>
      <span className="hidden group-has-[[name=scope]:checked]:contents">
        <Button type="submit" name="decision" value="allow" variant="primary" size="wide" pending={sending}>
          {ticked === undefined ? "Allow what is ticked" : `Allow ${ticked} permission${ticked === 1 ? "" : "s"}`}
        </Button>
      </span>
      <Button type="submit" name="decision" value="deny" size="wide" pending={sending}>
        Deny
      </Button>
    </>
  );
}

/** Decide and leave for the app. What comes back is shown: refused, or still under way until the app's page is there. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<"sending" | { refused: string }> {
  try {
    const body = new FormData(form, submitter);
    const reply = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    const answer: { redirectTo?: string; error?: string } = await reply.json();
    if (!reply.ok || !answer.redirectTo) return { refused: answer.error ?? "That did not work. Please try again." };
    location.assign(answer.redirectTo);
    return "sending";
  } catch {
    return { refused: "The service could not be reached. Nothing was decided; please try again." };
  }
}
