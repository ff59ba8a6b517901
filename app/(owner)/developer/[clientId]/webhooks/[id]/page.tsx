import { notFound } from "next/navigation";
import { orNotFound } from "@/app/or-not-found";
import { RowKeys } from "@/components/keyboard/row-keys";
import { Page } from "@/components/layout/page";
import { FreshForms } from "@/components/owners/disabled-until-sign-in";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Chip, Chips } from "@/components/ui/filter-chips";
import { ButtonLink } from "@/components/ui/styled-links";
import { urlWithQuery } from "@/components/ui/url-with-query";
import { DeliveryList } from "@/components/webhooks/delivery-list";
import { EditWebhook, EndpointSwitch, RotateSecret } from "@/components/webhooks/endpoint-forms";
import { TryButton } from "@/components/webhooks/send-delivery-button";
import { deliveryWords, endpointWords } from "@/components/webhooks/webhook-status-text";
import { getApp } from "@/lib/apps/apps";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { listDeliveries } from "@/lib/webhooks/deliveries";
import { getEndpoint } from "@/lib/webhooks/endpoints";
import { type Delivery, DeliveryFilter, DeliveryState } from "@/lib/webhooks/schema";
import { eventKinds } from "../../../event-type-options";

export const metadata = { title: "Webhook" };

type Props = {
  params: Promise<{ clientId: string; id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Webhook({ params, searchParams }: Props) {
  const owner = await requireOwner();
  const { clientId, id } = await params;
  const [app, endpoint] = await Promise.all([orNotFound(getApp(owner, clientId)), orNotFound(getEndpoint(owner, id))]);
  if (endpoint.clientId !== clientId) notFound();
  const query = await searchParams;
  const { state, before } = DeliveryFilter.parse({ state: query.state, before: query.before });
  const deliveries = await listDeliveries(owner, id, { state, before });
  const { next } = deliveries;
  const here = `/developer/${clientId}/webhooks/${id}`;
  const words = endpointWords[endpoint.state];
  return (
    <Page
      title="Webhook"
      back={{ href: `/developer/${clientId}`, label: app.name }}
      lead={<span className="mono break-all">{endpoint.url}</span>}
      actions={<Badge tone={words.tone}>{words.word}</Badge>}
    >
      <div className="grid gap-5">
        <Card>
          <EndpointSwitch endpoint={endpoint} />
        </Card>
        <Card
          title="Deliveries"
          aside={
            <a href={urlWithQuery(here, { state })} className="link inline-flex min-h-11 items-center sm:min-h-8">
              Refresh
            </a>
          }
        >
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <TryButton act="webhook.test" id={id} label="Send a test event" />
            <StateFilter at={here} state={state} />
            <DeliveryList page={deliveries} at={here} isFiltered={Boolean(state || before)} />
            {next ? (
              <p>
                <ButtonLink href={urlWithQuery(here, { state, before: next })}>Older deliveries</ButtonLink>
              </p>
            ) : null}
          </div>
        </Card>
        {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
        <Card title="Endpoint and events">
          <FreshForms fresh={owner.fresh}>
            <EditWebhook endpoint={endpoint} kinds={eventKinds} />
          </FreshForms>
        </Card>
        <Card title="Signing secret">
          <FreshForms fresh={owner.fresh}>
            <RotateSecret endpoint={endpoint} />
          </FreshForms>
        </Card>
        <Card title="Remove this webhook">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[56ch] text-muted">
              If you remove this webhook, Countersign stops sending events to this address and deletes the delivery
              history.
            </p>
            <ConfirmButton act="webhook.remove" fields={{ id }} label="Remove webhook" question="Remove this webhook?">
              Pending deliveries are deleted. You can’t undo the removal.
            </ConfirmButton>
          </div>
        </Card>
      </div>
      <RowKeys name="Webhook" row="delivery" />
    </Page>
  );
}

/** Links that filter the deliveries by state. */
const StateFilter = ({ at, state }: { at: string; state: Delivery["state"] | undefined }) => (
  <nav aria-label="Filter deliveries" className="min-w-0">
    <Chips>
      <Chip href={at} here={!state}>
        All
      </Chip>
      {DeliveryState.options.map((each) => (
        <Chip key={each} href={urlWithQuery(at, { state: each })} here={each === state}>
          {deliveryWords[each].word}
        </Chip>
      ))}
    </Chips>
  </nav>
);
