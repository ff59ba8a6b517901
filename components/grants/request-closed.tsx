import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/links";

type DeviceDecidedProps = { state: "allowed" | "denied"; app: { clientId: string; name: string } };

/** What became of a device's request, for whoever decided it. */
export function DeviceDecided({ state, app }: DeviceDecidedProps) {
  const allowed = state === "allowed";
  return (
    <SignedOutLayout
      title="You can go back to your device"
      lead={
        allowed ? (
          <>
            You let <bdi>{app.name}</bdi> in. The device notices by itself within a few seconds.
          </>
        ) : (
          <>
            You said no to <bdi>{app.name}</bdi>. Nothing was shared.
          </>
        )
      }
    >
      {allowed ? (
        <ButtonLink href={`/apps/${app.clientId}`} size="wide">
          See what it may do
        </ButtonLink>
      ) : (
        <ButtonLink href="/approvals" size="wide">
          Go to your approvals
        </ButtonLink>
      )}
    </SignedOutLayout>
  );
}

/** A device's request that cannot be decided any more, or is another owner's. */
export function DeviceTooOld() {
  return (
    <SignedOutLayout
      title="This code has expired"
      lead="A code is valid for fifteen minutes, and for one account. Ask your device for a new one; nothing was shared."
    >
      <ButtonLink href="/device" variant="primary" size="wide">
        Type another code
      </ButtonLink>
    </SignedOutLayout>
  );
}

/** A consent request that cannot be decided: decided before (409), too old (410), or nobody's that is signed in (404). */
export function ClosedRequest({ status }: { status: number }) {
  const [title, lead] = closed[status] ?? unknown;
  return (
    <SignedOutLayout title={title} lead={lead}>
      <ButtonLink href="/apps" variant="primary" size="wide">
        See your connected apps
      </ButtonLink>
    </SignedOutLayout>
  );
}

const closed: Record<number, readonly [title: string, lead: string]> = {
  409: [
    "You have decided this already",
    "A request is decided once. To decide again, go back to the app and start over.",
  ],
  410: [
    "This request has expired",
    "It was open for ten minutes. Go back to the app and start over; nothing was allowed.",
  ],
};
const unknown = [
  "This request does not exist",
  "It may be for another account, or long expired. Go back to the app and start over; nothing was allowed.",
] as const;
