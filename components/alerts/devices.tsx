import { Badge } from "@/components/ui/badge";
import { OwnedItem, OwnedList } from "@/components/ui/owner-item-list";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { DeviceSummary } from "@/lib/alerts/push-schema";
import { TestOrRemove } from "./test-and-remove-buttons";
import { TurnOn } from "./turn-on-alerts";

type DevicesProps = { devices: DeviceSummary[]; ownerId: string; publicKey: string };

/** The browsers with alerts on, and a button to add this one. */
export function Devices({ devices, ownerId, publicKey }: DevicesProps) {
  return (
    <div className="grid gap-4">
      <p className="text-muted">Get alerts in a browser, even when Countersign is closed.</p>
      <OwnedList label="Browsers that show alerts">
        {devices.map(({ id, device, createdAt, toldAt, current }) => (
          <OwnedItem
            key={id}
            name={
              <>
                {device}
                {current ? <Badge>This browser</Badge> : null}
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
            gone={`Alerts stopped on ${device}`}
          >
            <div className="flex flex-wrap items-start gap-2">
              <TestOrRemove kind="device" id={id} name={device}>
                You can turn alerts on again in that browser.
              </TestOrRemove>
            </div>
          </OwnedItem>
        ))}
      </OwnedList>
      <TurnOn ownerId={ownerId} publicKey={publicKey} known={devices.some(({ current }) => current)} checks />
    </div>
  );
}
