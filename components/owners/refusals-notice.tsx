import Link from "next/link";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { Refusals } from "@/lib/owners/refusals";

/** Says on every page that somebody was refused at the owner's account, until they put it away. */
export function RefusalsNotice({ refusals: { count, to }, action }: { refusals: Refusals; action: FormAction }) {
  return (
    <aside aria-label="Failed sign-ins" className="mx-auto w-full max-w-4xl px-4 py-4 sm:px-8">
      <Notice
        tone="warn"
        title={`${count === 1 ? "1 failed sign-in" : `${count} failed sign-ins`} since your last visit`}
      >
        <p>
          The last <TimeAgo at={to} />. Was it not you? See what was tried, and from where.
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-5">
          <Link href="/activity?kind=trouble" className="link inline-flex min-h-11 items-center sm:min-h-8">
            Show in Activity
          </Link>
          <ActionForm action={action} className="grid gap-2">
            <input type="hidden" name="until" value={to} />
            <SubmitButton variant="quiet" size="small">
              Dismiss
            </SubmitButton>
          </ActionForm>
        </div>
      </Notice>
    </aside>
  );
}
