import { ActionForm } from "@/components/actions/action-form";
import { CopyableValue } from "@/components/ui/copyable-value";
import { TextLink } from "@/components/ui/styled-links";
import { SubmitButton } from "@/components/ui/submit-button";
import { firstQuestion } from "./sample-commands";

/** Sends the owner a test request, by a click or by a command with the owner's token. */
export function TryIt({ baseUrl }: { baseUrl: string }) {
  return (
    <div className="grid gap-4">
      <p className="max-w-[68ch] text-muted">
        Send yourself a test before you write any code. The test comes from Countersign’s own app, which then appears in
        Apps.
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <ActionForm act="approval.try" className="grid gap-3">
          <SubmitButton size="small">Send a test question</SubmitButton>
        </ActionForm>
        <ActionForm
          act="notification.try"
          className="grid gap-3"
          done={<Sent href="/notifications" to="Go to Notifications" />}
        >
          <SubmitButton size="small">Send a test notification</SubmitButton>
        </ActionForm>
      </div>
      <CopyableValue label="Command" text={firstQuestion(baseUrl, "$TOKEN")} />
      <p className="text-muted">
        Set <code className="mono">TOKEN</code> to a personal token with the permission “Ask you questions”. You can
        create the token on an app’s page.
      </p>
    </div>
  );
}

const Sent = ({ href, to }: { href: string; to: string }) => (
  <>
    Test sent. <TextLink href={href}>{to}</TextLink>
  </>
);
