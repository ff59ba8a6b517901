import { ActionForm } from "@/components/actions/action-form";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { EmailState } from "@/lib/owners/schema";

/** A pending email confirmation, with buttons to resend the link and to cancel a change. */
export function EmailConfirmation({ email, confirmed, pending }: EmailState) {
  if (confirmed && pending === undefined) return null;
  const address = (text: string) => <bdi className="font-medium break-all">{text}</bdi>;
  return (
    <div className="mb-4">
      <Notice tone="warn" title={pending === undefined ? "Confirm your email" : "Confirm your new email"}>
        <div className="grid gap-3">
          {pending === undefined ? (
            <p>
              We’ll send a link to {address(email)}. We won’t send other email to this address until you confirm it.
            </p>
          ) : (
            <p>
              We sent a link to {address(pending)}. Your account uses {address(email)} until you confirm the new email.
            </p>
          )}
          <div className="flex flex-wrap items-start gap-2">
            <ActionForm
              act="email.resend"
              className="grid gap-3"
              done="Confirmation link sent. It expires after 24 hours."
            >
              <SubmitButton size="small">
                {pending === undefined ? "Send the link" : "Send the link again"}
              </SubmitButton>
            </ActionForm>
            {pending === undefined ? null : (
              <ActionForm act="email.cancel">
                <SubmitButton size="small" variant="quiet">
                  Cancel the change
                </SubmitButton>
              </ActionForm>
            )}
          </div>
        </div>
      </Notice>
    </div>
  );
}
