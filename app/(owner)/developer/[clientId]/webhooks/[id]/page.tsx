import { notFound } from "next/navigation";
import { RowKeys } from "@/components/keys/row-keys";
import { Page } from "@/components/layout/page";
import { SignInAgainNotice } from "@/components/owners/sign-in-again";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Chip, Chips } from "@/components/ui/chips";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { PageHeader } from "@/components/ui/page-header";
import { DeliveryList } from "@/components/webhooks/delivery-list";
import { EditWebhook, EndpointSwitch, RotateSecret } from "@/components/webhooks/endpoint-settings";
import { TryButton } from "@/components/webhooks/try-button";
import { deliveryWords, endpointWords } from "@/components/webhooks/words";
import { getApp } from "@/lib/apps/apps";
import { requireOwner, signInAgainPath } from "@/lib/web/session";
import { listDeliveries } from "@/lib/webhooks/deliveries";
import { getEndpoint } from "@/lib/webhooks/endpoints";
import { DeliveryFilter, DeliveryState } from "@/lib/webhooks/schema";
import { orNotFound } from "../../../../or-not-found";
import { eventKinds } from "../../../event-kinds";
import {
  changeWebhook,
  removeWebhook,
  rotateWebhookSecret,
  switchWebhook,
  testWebhook,
} from "../../../webhook-actions";

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
  const asked = await searchParams;
  const { state, before } = DeliveryFilter.parse({ state: asked.state, before: asked.before });
  const { items, next } = await listDeliveries(owner, id, { state, before });
  const here = `/developer/${clientId}/webhooks/${id}`;
  const to = (query: Record<string, string | undefined>) => {
    const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
    return given.length > 0 ? `${here}?${new URLSearchParams(given)}` : here;
  };
  const words = endpointWords[endpoint.state];
  return (
    <Page wide>
      <PageHeader
        title="Webhook"
        back={{ href: `/developer/${clientId}`, label: app.name }}
        lead={<span className="mono break-all">{endpoint.url}</span>}
        actions={<Badge tone={words.tone}>{words.word}</Badge>}
      />
      <div className="grid gap-5">
        <Card>
          <EndpointSwitch action={switchWebhook} endpoint={endpoint} />
        </Card>
        <Card
          title="Deliveries"
          aside={
            <a href={to({ state })} className="link inline-flex min-h-11 items-center sm:min-h-8">
              Look again
            </a>
          }
        >
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <TryButton action={testWebhook} id={id} label="Send a test event" />
            <nav aria-label="Show" className="min-w-0">
              <Chips>
                <Chip href={to({})} here={!state}>
                  All
                </Chip>
                {DeliveryState.options.map((each) => (
                  <Chip key={each} href={to({ state: each })} here={each === state}>
                    {deliveryWords[each].word}
                  </Chip>
                ))}
              </Chips>
            </nav>
            {items.length === 0 ? (
              <p className="text-muted">
                Nothing{state || before ? " of that kind" : " yet"}. Deliveries stay here for seven days.
              </p>
            ) : (
              <DeliveryList items={items} at={here} />
            )}
            {next ? (
              <p>
                <ButtonLink href={to({ state, before: next })}>Older</ButtonLink>
              </p>
            ) : null}
          </div>
        </Card>
        {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
        <Card title="Where and what">
          <EditWebhook action={changeWebhook} endpoint={endpoint} kinds={eventKinds} />
        </Card>
        <Card title="Signing secret">
          <RotateSecret action={rotateWebhookSecret} endpoint={endpoint} />
        </Card>
        <Card title="Remove this webhook">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[56ch] text-muted">Nothing more is sent there, and its deliveries are deleted.</p>
            <ConfirmButton
              action={removeWebhook}
              fields={{ id }}
              label="Remove webhook"
              question="Remove this webhook?"
            >
              Pending deliveries are dropped. This cannot be undone.
            </ConfirmButton>
          </div>
        </Card>
      </div>
      <RowKeys name="Webhook" row="delivery" />
    </Page>
  );
}
