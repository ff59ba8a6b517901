import { Doorway } from "@/components/layout/doorway";
import { ButtonLink } from "@/components/ui/button-link";

type DeviceDecidedProps = { state: "allowed" | "denied"; app: { clientId: string; name: string } };

/** What became of a device's request, for whoever decided it. */
export function DeviceDecided({ state, app }: DeviceDecidedProps) {
  const allowed = state === "allowed";
  return (
    <Doorway
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
    </Doorway>
  );
}

/** A device's request that cannot be decided any more, or is another owner's. */
export function DeviceTooOld() {
  return (
    <Doorway
      title="This code has expired"
      lead="A code is valid for fifteen minutes, and for one account. Ask your device for a new one; nothing was shared."
    >
      <ButtonLink href="/device" variant="primary" size="wide">
        Type another code
      </ButtonLink>
    </Doorway>
  );
}
