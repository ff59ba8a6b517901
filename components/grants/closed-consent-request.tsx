import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/styled-links";

type DeviceDecidedProps = { state: "allowed" | "denied"; app: { clientId: string; name: string } };

/** The outcome of a device's request, shown to the owner who decided it. */
export function DeviceDecided({ state, app }: DeviceDecidedProps) {
  const allowed = state === "allowed";
  return (
    <SignedOutLayout
      status={200}
      title="You can go back to your device"
      lead={
        allowed ? (
          <>
            You connected <bdi>{app.name}</bdi>. Your device will continue in a few seconds.
          </>
        ) : (
          <>
            You denied <bdi>{app.name}</bdi> access. Nothing was shared.
          </>
        )
      }
    >
      {allowed ? (
        <ButtonLink href={`/apps/${app.clientId}`} size="wide">
          Review access
        </ButtonLink>
      ) : (
        <ButtonLink href="/approvals" size="wide">
          Go to your approvals
        </ButtonLink>
      )}
    </SignedOutLayout>
  );
}

/** Shown for a device's code that has expired, or that another account used. */
export function DeviceTooOld() {
  return (
    <SignedOutLayout
      status={404}
      title="This code has expired"
      lead="A code expires after 15 minutes and works for only one account. Nothing was shared. Get a new code on your device."
    >
      <ButtonLink href="/device" variant="primary" size="wide">
        Enter another code
      </ButtonLink>
    </SignedOutLayout>
  );
}

/**
 * Shown for a closed consent request. `status` is 409 if it was decided, 410 if it expired, and
 * otherwise 404.
 */
export function ClosedRequest({ status }: { status: number }) {
  const [title, lead] = closed[status] ?? unknown;
  return (
    <SignedOutLayout status={closed[status] ? status : 404} title={title} lead={lead}>
      <ButtonLink href="/apps" variant="primary" size="wide">
        See your connected apps
      </ButtonLink>
    </SignedOutLayout>
  );
}

const closed: Record<number, readonly [title: string, lead: string]> = {
  409: ["You’ve already responded to this request", "To decide again, go back to the app and start over."],
  410: [
    "This request has expired",
    "A request expires after ten minutes. Nothing was shared. Go back to the app and start over.",
  ],
};
const unknown = [
  "Request not found",
  "The request may belong to another account, or may have expired long ago. Nothing was shared. Go back to the app and start over.",
] as const;
