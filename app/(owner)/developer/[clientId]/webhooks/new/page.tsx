import { Page } from "@/components/layout/page";
import { SignInAgainNotice } from "@/components/owners/sign-in-again";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { AddWebhook } from "@/components/webhooks/add-webhook";
import { getApp } from "@/lib/apps/apps";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { orNotFound } from "../../../../or-not-found";
import { eventKinds } from "../../../event-kinds";
import { addWebhook } from "../../../webhook-actions";

export const metadata = { title: "Add a webhook" };

export default async function NewWebhook({ params }: { params: Promise<{ clientId: string }> }) {
  const owner = await requireOwner();
  const { clientId } = await params;
  const app = await orNotFound(getApp(owner, clientId));
  return (
    <Page>
      <PageHeader title="Add a webhook" back={{ href: `/developer/${clientId}`, label: app.name }} />
      <Card>
        {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
        <AddWebhook action={addWebhook} clientId={clientId} kinds={eventKinds} />
      </Card>
    </Page>
  );
}
