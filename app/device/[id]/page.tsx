import { orNotFound, undefinedOn } from "@/app/not-found-or";
import { withProviderNames } from "@/app/provider-names";
import { ConsentForm } from "@/components/grants/consent-form";
import { backOf, ConsentFrame } from "@/components/grants/consent-frame";
import { DeviceDecided, DeviceTooOld } from "@/components/grants/request-closed";
import { Asking, Registered } from "@/components/grants/requesting-app";
import type { DeviceRequest } from "@/lib/grants/schema";
import { readDevice } from "@/lib/oauth/device";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Device permission" };

type DeviceProps = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, unknown>> };

export default async function DeviceConsent({ params, searchParams }: DeviceProps) {
  const { id } = await params;
  const owner = await requireOwner();
  const request = await undefinedOn(410, orNotFound(readDevice(owner, id)));
  if (!request) return <DeviceTooOld />;
  if (request.state !== "open") return <DeviceDecided {...request} />;
  return (
    <ConsentFrame email={owner.email} here={`/device/${id}`}>
      <DeviceAsker request={request} />
      <ConsentForm
        view={{ ...request, integrations: withProviderNames(request.integrations) }}
        act="consent.decide-device"
        url={`/device/${id}/decide`}
        fresh={owner.fresh}
        back={backOf(await searchParams)}
      />
    </ConsentFrame>
  );
}

/**
 * The requesting device's app and the code to compare. Only the code reveals a request that someone
 * else started.
 */
function DeviceAsker({ request }: { request: Extract<DeviceRequest, { state: "open" }> }) {
  const { app, userCode, firstTime } = request;
  return (
    <Asking
      name={app.name}
      asks="asks from another device"
      firstTime={firstTime}
      namesake={app.namesake}
      first={
        <div className="grid gap-2 rounded-xl border border-warn bg-warn-soft p-3.5 sm:p-4">
          <h2 className="font-semibold">Do the codes match?</h2>
          <p className="font-mono text-xl font-semibold tracking-[0.12em] whitespace-nowrap">{userCode}</p>
          <p>
            Continue only if you started this yourself and your device shows this exact code. If someone sent you the
            code or a link, choose Deny.
          </p>
        </div>
      }
    >
      <p className="px-1 text-muted">
        {app.kind === "metadata" ? "First seen" : "Registered"} <Registered app={app} />
      </p>
    </Asking>
  );
}
