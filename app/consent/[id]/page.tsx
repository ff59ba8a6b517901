import { withProviderNames } from "@/app/linked-account-provider-names";
import { ClosedRequest } from "@/components/grants/closed-consent-request";
import { ConsentForm } from "@/components/grants/consent-form";
import { backOf, ConsentFrame, SignedInAs } from "@/components/grants/consent-frame";
import { RequestingApp } from "@/components/grants/requesting-app";
import { AppError } from "@/lib/errors";
import type { ConsentView } from "@/lib/grants/schema";
import { readConsent } from "@/lib/oauth/consent";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Connect an app", referrer: "no-referrer" as const };

type ConsentProps = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, unknown>> };

export default async function Consent({ params, searchParams }: ConsentProps) {
  const { id } = await params;
  const owner = await requireOwner();
  const view = await readOpen(readConsent(owner, id));
  if (!("csrf" in view)) return <ClosedRequest status={view.status} />;
  return (
    <ConsentFrame here={`/consent/${id}`}>
      <RequestingApp view={view} />
      <ConsentForm
        view={{ ...view, integrations: withProviderNames(view.integrations) }}
        act="consent.decide"
        url={`/consent/${id}/decide`}
        fresh={owner.fresh}
        back={backOf(await searchParams)}
        signedIn={<SignedInAs email={owner.email} />}
      />
    </ConsentFrame>
  );
}

/** The open request, or the HTTP status that explains why it is closed. */
async function readOpen(reading: Promise<ConsentView>): Promise<ConsentView | { status: number }> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { status: error.status };
    throw error;
  }
}
