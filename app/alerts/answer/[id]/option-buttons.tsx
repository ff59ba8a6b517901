import { areShort, optionLook } from "@/components/approvals/answer/option-classes";
import { OptionText } from "@/components/approvals/answer/option-text";
import { type InboxApproval, suggestedOption } from "@/components/approvals/inbox-approval";

/** The URL and token for the page's forms. */
export type LinkForm = { action: string; token: string };

/** The options as submit buttons. None is preselected. */
export function Options({ approval, action, token }: { approval: InboxApproval } & LinkForm) {
  const { options, app, risk } = approval;
  const suggested = suggestedOption(approval);
  const pair = areShort(options);
  return (
    <form
      method="post"
      action={action}
      aria-label="Your answer"
      className={`grid gap-1.5 ${pair ? "max-sm:grid-cols-2 max-sm:gap-2" : ""}`}
    >
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="seen" value={approval.contentHash} />
      {options.map((option) => (
        <button
          key={option.id}
          type="submit"
          name="optionId"
          value={option.id}
          className={optionLook({
            dangerous: option.style === "danger",
            answered: undefined,
            inked: option === suggested && risk !== "high",
            pair,
          })}
        >
          <OptionText {...{ option, options, pair }} suggests={option === suggested ? app.name : undefined} />
        </button>
      ))}
    </form>
  );
}
