import { notFound } from "next/navigation";
import { Page } from "@/components/layout/page";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { Secret } from "@/components/ui/secret";
import { ExactTime } from "@/components/ui/time/exact-time";
import { AttemptList } from "@/components/webhooks/attempt-list";
import { TryButton } from "@/components/webhooks/try-button";
import { deliveryWords } from "@/components/webhooks/words";
import { requireOwner } from "@/lib/web/session";
import { getDelivery } from "@/lib/webhooks/deliveries";
import { getEndpoint } from "@/lib/webhooks/endpoints";
import { orNotFound } from "../../../../../or-not-found";
import { resendWebhook } from "../../../../webhook-actions";

export const metadata = { title: "Delivery" };

export default async function WebhookDelivery({
  params,
}: {
  params: Promise<{ clientId: string; id: string; delivery: string }>;
}) {
  const owner = await requireOwner();
  const { clientId, id, delivery: deliveryId } = await params;
  const [endpoint, delivery] = await Promise.all([
    orNotFound(getEndpoint(owner, id)),
    orNotFound(getDelivery(owner, deliveryId)),
  ]);
  if (endpoint.clientId !== clientId || delivery.endpointId !== id) notFound();
  const { state, type, event, createdAt, dueAt, tries, body } = delivery;
  const { word, tone } = deliveryWords[state];
  return (
    <Page wide>
      <PageHeader
        title={type}
        back={{ href: `/developer/${clientId}/webhooks/${id}`, label: "Webhook" }}
        actions={<Badge tone={tone}>{word}</Badge>}
      />
      <div className="grid gap-5">
        <Card>
          <Facts
            items={[
              [
                "webhook-id",
                <span key="id" className="mono break-all">
                  {event}
                </span>,
              ],
              ["Since", <ExactTime key="at" at={createdAt} />],
              ...(dueAt === undefined || tries.length === 0
                ? []
                : [["Next attempt", <ExactTime key="due" at={dueAt} />] as const]),
            ]}
          />
        </Card>
        <Card title="Attempts">
          {tries.length === 0 ? (
            <p className="text-muted">
              {state === "dropped" ? "None: when its turn came, the app was no longer allowed to see it." : "None yet."}
            </p>
          ) : (
            <AttemptList tries={tries} />
          )}
          {state !== "pending" && body ? (
            <div className="mt-4">
              <TryButton action={resendWebhook} id={deliveryId} label="Resend" />
            </div>
          ) : null}
        </Card>
        {body ? (
          <Card title="What is sent">
            <Secret label="Body" text={body} />
          </Card>
        ) : null}
      </div>
    </Page>
  );
}
