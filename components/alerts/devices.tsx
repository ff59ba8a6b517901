import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { SubmitButton } from "@/components/ui/submit-button";
import { TimeAgo } from "@/components/ui/time-ago";
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
        A browser that shows alerts tells you when an app asks something, also while Countersign is closed: one alert
        for each app in ten minutes, taken away everywhere once you have answered.
      </p>
      {devices.length > 0 ? (
        <ul className="divide-y divide-line" aria-label="Browsers that show alerts">
          {devices.map(({ id, device, createdAt, toldAt, current }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {device}
                  {current ? <Badge tone="ok">This browser</Badge> : null}
                </p>
                <p className="text-muted">
                  {toldAt ? (
                    <>
                      Last alert <TimeAgo at={toldAt} />
                    </>
                  ) : (
                    <>
                      Added <TimeAgo at={createdAt} />
                    </>
                  )}
                </p>
              </div>
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
            </li>
          ))}
        </ul>
      ) : null}
      <TurnOn {...{ ownerId, publicKey, add, seen }} known={devices.some(({ current }) => current)} />
    </div>
  );
}
