import type { InboxApproval } from "@/components/approvals/inbox-approval";

/** A signature with a passkey needs scripts. */
export const NoScriptPasskey = () => (
  <p className="shrink-0">
    You sign this answer with your passkey, which needs JavaScript. Turn on JavaScript, or open this question in another
    browser.
  </p>
);

/** Without scripts, the owner picks a number in the form, and confirms on the next page. */
export const NoScriptSigning = ({ approval: { match, app } }: { approval: InboxApproval }) => (
  <div className="grid shrink-0 gap-2">
    <p className="text-muted">You’ll confirm your answer in a second step.</p>
    {match && match.picked === undefined ? (
      <fieldset className="flex flex-wrap items-center gap-x-4">
        <legend className="float-start me-4 py-3">
          Which number does <bdi>{app.name}</bdi> show?
        </legend>
        {match.numbers.map((number) => (
          <label key={number} className="flex min-h-11 items-center gap-2 font-semibold tabular-nums">
            <input type="radio" name="picked" value={number} className="size-4.5 accent-ink" />
            {number}
          </label>
        ))}
      </fieldset>
    ) : null}
  </div>
);
