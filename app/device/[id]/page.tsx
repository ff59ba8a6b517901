import { notFound } from "next/navigation";
import { withProviderNames } from "@/app/provider-names";
import { ConsentForm } from "@/components/grants/consent-form";
import { ConsentFrame } from "@/components/grants/consent-frame";
import { DeviceAsker } from "@/components/grants/device-asker";
import { DeviceDecided, DeviceTooOld } from "@/components/grants/device-closed";
import { AppError } from "@/lib/errors";
import type { DeviceRequest } from "@/lib/grants/schema";
import { readDevice } from "@/lib/oauth/device";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Permission for a device" };

export default async function DeviceConsent({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const owner = await requireOwner();
  const request = await readOpen(readDevice(owner, id));
  if (!request) return <DeviceTooOld />;
  if (request.state !== "open") return <DeviceDecided {...request} />;
  return (
    <ConsentFrame email={owner.email} here={`/device/${id}`}>
      <DeviceAsker request={request} />
      <ConsentForm
        view={{ ...request, integrations: withProviderNames(request.integrations) }}
        action={`/device/${id}/decide`}
        fresh={owner.fresh}
      />
    </ConsentFrame>
  );
}

/** The request, or nothing once its time is up. */
async function readOpen(reading: Promise<DeviceRequest>): Promise<DeviceRequest | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) notFound();
    if (error instanceof AppError && error.status === 410) return undefined;
    throw error;
  }
}
