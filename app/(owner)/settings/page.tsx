import { Page } from "@/components/layout/page";
import { PasswordForm } from "@/components/owners/password-form";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { requireOwner } from "@/lib/web/session";
import { changeMyPassword, leaveEverywhere } from "./actions";

export const metadata = { title: "Settings" };

export default async function Settings() {
  const owner = await requireOwner();
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className="grid gap-5">
        <Card title="Account">
          <Facts
            items={[
              ["Name", <bdi key="name">{owner.name}</bdi>],
              ["E-mail", owner.email],
            ]}
          />
        </Card>
        <Card title="Change password">
          <div className="max-w-md">
            <PasswordForm action={changeMyPassword} email={owner.email} />
          </div>
        </Card>
        <Card title="Sessions">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[56ch] text-muted">
              Ends your session here and on every other device. Apps keep what you gave them.
            </p>
            <ConfirmButton action={leaveEverywhere} label="Sign out everywhere" question="Sign out everywhere?">
              You will need your password to come back in.
            </ConfirmButton>
          </div>
        </Card>
      </div>
    </Page>
  );
}
