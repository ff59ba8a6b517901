import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { TextLink } from "@/components/ui/links";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { firstQuestion } from "./first-question";

/** One click sends the owner what an app would send; the command does it with a token of theirs. */
export function TryIt({ baseUrl }: { baseUrl: string }) {
  return (
    <div className="grid gap-4">
      <p className="max-w-[68ch] text-muted">
        See how a question feels before you write any code. It comes from “Countersign”, the service’s own app, which
        then appears in Connected apps.
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <OwnerActionForm act="approval.try" className="grid gap-3">
          <SubmitButton size="small">Send me a test approval</SubmitButton>
        </OwnerActionForm>
        <OwnerActionForm
          act="notification.try"
          className="grid gap-3"
          done={<Sent href="/notifications" to="Read it in Notifications" />}
        >
          <SubmitButton size="small">Send me a test notification</SubmitButton>
        </OwnerActionForm>
      </div>
      <Secret label="Command" text={firstQuestion(baseUrl, "$TOKEN")} />
      <p className="text-muted">
        Set <code className="mono">TOKEN</code> to a personal token of one of your apps. The app’s page creates one, and
        shows the command with it.
      </p>
    </div>
  );
}

const Sent = ({ href, to }: { href: string; to: string }) => (
  <>
    Sent. <TextLink href={href}>{to}</TextLink>
  </>
);
