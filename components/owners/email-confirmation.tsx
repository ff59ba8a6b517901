import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { EmailState } from "@/lib/owners/schema";

/** What is left to confirm of the account's e-mail, with a way to get the link again and, for a change, to call it off. */
export function EmailConfirmation({ email, confirmed, pending }: EmailState) {
  if (confirmed && pending === undefined) return null;
  const address = (text: string) => <bdi className="font-medium break-all">{text}</bdi>;
  return (
    <div className="mb-4">
      <Notice tone="warn" title={pending === undefined ? "Confirm your e-mail" : "Confirm your new e-mail"}>
        <div className="grid gap-3">
          {pending === undefined ? (
            <p>Until you open the link we send to {address(email)}, you get no other e-mail there.</p>
          ) : (
            <p>
              We sent a link to {address(pending)}. Your e-mail stays {address(email)} until you open it.
            </p>
          )}
          <div className="flex flex-wrap items-start gap-2">
            <OwnerActionForm act="email.resend" className="grid gap-3" done="Sent. The link works for 24 hours.">
              <SubmitButton size="small">{pending === undefined ? "Send the link" : "Send it again"}</SubmitButton>
            </OwnerActionForm>
            {pending === undefined ? null : (
              <OwnerActionForm act="email.cancel">
                <SubmitButton size="small" variant="quiet">
                  Cancel the change
                </SubmitButton>
              </OwnerActionForm>
            )}
          </div>
        </div>
      </Notice>
    </div>
  );
}
