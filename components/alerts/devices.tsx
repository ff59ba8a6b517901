import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { SubmitButton } from "@/components/ui/submit-button";
import { Thing, Things } from "@/components/ui/things";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { DeviceSummary } from "@/lib/alerts/schema";
import { TurnOn } from "./turn-on";

type DevicesProps = {
  devices: DeviceSummary[];
  ownerId: string;
  publicKey: string;
  add: FormAction;
  remove: FormAction;
  seen: FormAction<boolean>;
  test: FormAction;
};

/** The browsers that show alerts, and the way to add this one. */
export function Devices({ devices, ownerId, publicKey, add, remove, seen, test }: DevicesProps) {
  return (
    <div className="grid gap-4">
      <p className="max-w-[68ch] text-muted">
        A browser with alerts tells you when an app asks something, even while Countersign is closed: at most one alert
        per app in ten minutes, removed everywhere once you have answered.
      </p>
      <Things label="Browsers that show alerts">
        {devices.map(({ id, device, createdAt, toldAt, current }) => (
          <Thing
            key={id}
            name={
              <>
                {device}
                {current ? <Badge tone="ok">This browser</Badge> : null}
              </>
            }
            about={
              toldAt ? (
                <>
                  Last alert <TimeAgo at={toldAt} />
                </>
              ) : (
                <>
                  Added <TimeAgo at={createdAt} />
                </>
              )
            }
            gone={`No more alerts on ${device}`}
          >
            <div className="flex flex-wrap items-start gap-2">
              <ActionForm action={test} done="Sent. It should be there in a moment." className="grid gap-2">
                <input type="hidden" name="id" value={id} />
                <SubmitButton size="small">Send a test</SubmitButton>
              </ActionForm>
              <ConfirmButton
                action={remove}
                fields={{ id }}
                label="Remove"
                question={`No more alerts on ${device}?`}
                confirm="Remove"
              >
                You can turn them on again there.
              </ConfirmButton>
            </div>
          </Thing>
        ))}
      </Things>
      <TurnOn {...{ ownerId, publicKey, add, seen }} known={devices.some(({ current }) => current)} />
    </div>
  );
}
