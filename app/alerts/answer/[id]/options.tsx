import { Danger } from "@/components/approvals/danger";
import { type InboxApproval, suggestedOption } from "@/components/approvals/types";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";

/** The URL and token for the page's forms. */
export type LinkForm = { action: string; token: string };

/** The options as submit buttons. None is preselected. */
export function Options({ approval, action, token }: { approval: InboxApproval } & LinkForm) {
  const suggested = suggestedOption(approval);
  const labels = approval.options.map(({ label }) => label.trim().toLowerCase());
  return (
    <form method="post" action={action} aria-label="Your answer" className="grid gap-2">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="seen" value={approval.contentHash} />
      {approval.options.map((option, index) => {
        const dangerous = option.style === "danger";
        return (
          <button
            key={option.id}
            type="submit"
            name="optionId"
            value={option.id}
            className={`${buttonClass({ variant: dangerous ? "danger" : "secondary" })} w-full flex-col items-start! gap-0.5! py-3! text-start!`}
          >
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base">
              <bdi>{option.label}</bdi>
              {dangerous ? <Danger>Danger</Danger> : null}
              {option === suggested ? <Badge tone="neutral">Suggested</Badge> : null}
              {labels.some((it, otherIndex) => otherIndex !== index && it === labels[index]) ? (
                <span className="mono text-muted">{option.id}</span>
              ) : null}
            </span>
            {option.note ? (
              <span dir="auto" className="font-normal text-muted">
                {option.note}
              </span>
            ) : null}
          </button>
        );
      })}
    </form>
  );
}
