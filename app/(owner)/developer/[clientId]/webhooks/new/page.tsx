import { orNotFound } from "@/app/or-not-found";
import { Page } from "@/components/layout/page";
import { FreshForms } from "@/components/owners/disabled-until-sign-in";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { Card } from "@/components/ui/card";
import { AddWebhook } from "@/components/webhooks/endpoint-forms";
import { getApp } from "@/lib/apps/apps";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { eventKinds } from "../../../event-type-options";

export const metadata = { title: "Add a webhook" };

export default async function NewWebhook({ params }: { params: Promise<{ clientId: string }> }) {
  const owner = await requireOwner();
  const { clientId } = await params;
  const app = await orNotFound(getApp(owner, clientId));
  return (
    <Page title="Add a webhook" back={{ href: `/developer/${clientId}`, label: app.name }}>
      <Card>
        {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
        <FreshForms fresh={owner.fresh}>
          <AddWebhook clientId={clientId} kinds={eventKinds} />
        </FreshForms>
      </Card>
    </Page>
  );
}
