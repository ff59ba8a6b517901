import { withProviderNames } from "@/app/linked-account-provider-names";
import { undefinedOn } from "@/app/or-not-found";
import { DeviceDecided, DeviceTooOld } from "@/components/grants/closed-consent-request";
import { ConsentForm } from "@/components/grants/consent-form";
import { backOf, ConsentFrame, SignedInAs } from "@/components/grants/consent-frame";
import { Asker } from "@/components/grants/requesting-app";
import type { DeviceRequest } from "@/lib/grants/schema";
import { readDevice } from "@/lib/oauth/device-authorization";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Connect a device" };

type DeviceProps = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, unknown>> };

export default async function DeviceConsent({ params, searchParams }: DeviceProps) {
  const { id } = await params;
  const owner = await requireOwner();
  const request = await undefinedOn(410, undefinedOn(404, readDevice(owner, id)));
  if (!request) return <DeviceTooOld />;
  if (request.state !== "open") return <DeviceDecided {...request} />;
  return (
    <ConsentFrame here={`/device/${id}`}>
      <DeviceAsker request={request} />
      <ConsentForm
        view={{ ...request, integrations: withProviderNames(request.integrations) }}
        act="consent.decide-device"
        url={`/device/${id}/decide`}
        fresh={owner.fresh}
        back={backOf(await searchParams)}
        signedIn={<SignedInAs email={owner.email} />}
      />
    </ConsentFrame>
  );
}

/**
 * The app on the device, and the code to compare. By the code, the owner can tell whether someone
 * else started the request.
 */
const DeviceAsker = ({ request }: { request: Extract<DeviceRequest, { state: "open" }> }) => (
  <Asker
    offer={request}
    first={
      <div className="grid w-full items-center gap-1 rounded-xl bg-warn-soft p-4 text-sm text-ink sm:grid-cols-[1fr_auto] sm:px-4 sm:py-2 sm:text-start forced-colors:border">
        <h2 className="font-semibold">Does your device show this code?</h2>
        <p className="font-mono text-xl font-semibold tracking-[0.12em] whitespace-nowrap">{request.userCode}</p>
        <p className="sm:col-span-full">
          Continue only if you started this request. If someone sent you the code, don’t connect.
        </p>
      </div>
    }
  >
    <p>Requested from another device</p>
  </Asker>
);
