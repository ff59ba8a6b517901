import { notFound } from "next/navigation";
import { orNotFound, undefinedOn } from "@/app/or-not-found";
import { Page } from "@/components/layout/page";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CopyableValue } from "@/components/ui/copyable-value";
import { DescriptionList } from "@/components/ui/description-list";
import { ExactTime } from "@/components/ui/time/time-ago";
import { UnavailableDelivery } from "@/components/webhooks/delivery-list";
import { TryButton } from "@/components/webhooks/send-delivery-button";
import { attemptWords, deliveryWords } from "@/components/webhooks/webhook-status-text";
import { requireOwner } from "@/lib/web/session";
import { getDelivery } from "@/lib/webhooks/deliveries";
import { getEndpoint } from "@/lib/webhooks/endpoints";
import type { Attempt } from "@/lib/webhooks/schema";

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
    orNotFound(undefinedOn(503, getDelivery(owner, deliveryId))),
  ]);
  if (endpoint.clientId !== clientId) notFound();
  const back = { href: `/developer/${clientId}/webhooks/${id}`, label: "Webhook" };
  if (!delivery)
    return (
      <Page title="Delivery" back={back}>
        <UnavailableDelivery />
      </Page>
    );
  if (delivery.endpointId !== id) notFound();
  const { state, type, event, createdAt, dueAt, tries, body } = delivery;
  const { word, tone } = deliveryWords[state];
  return (
    <Page title={type} back={back} actions={<Badge tone={tone}>{word}</Badge>}>
      <div className="grid gap-5">
        <Card>
          <DescriptionList
            of={{
              "webhook-id": <span className="mono break-all">{event}</span>,
              Created: <ExactTime at={createdAt} />,
              "Next attempt": dueAt === undefined || tries.length === 0 ? undefined : <ExactTime at={dueAt} />,
            }}
          />
        </Card>
        <Card title="Attempts">
          {tries.length === 0 ? (
            <p className="text-muted">
              {state === "dropped"
                ? "No attempts. The app lost permission to read this event, or the webhook was turned off."
                : "No attempts yet."}
            </p>
          ) : (
            <AttemptList tries={tries} />
          )}
          {state !== "pending" && body ? (
            <div className="mt-4">
              <TryButton act="webhook.resend" id={deliveryId} label="Resend" />
            </div>
          ) : null}
        </Card>
        {body ? (
          <Card title="Payload">
            <CopyableValue label="Body" text={body} />
          </Card>
        ) : null}
      </div>
    </Page>
  );
}

/** The delivery attempts, latest first. */
const AttemptList = ({ tries }: { tries: readonly Attempt[] }) => (
  <ol>
    {tries.map((attempt) => (
      <li key={attempt.number} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
        <span>
          {attempt.number}. {attemptWords(attempt)}
        </span>
        <span className="text-xs text-muted">
          <ExactTime at={attempt.at} />
        </span>
      </li>
    ))}
  </ol>
);
