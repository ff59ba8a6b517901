import { Devices } from "@/components/alerts/devices";
import { Card } from "@/components/ui/card";
import { listDevices } from "@/lib/alerts/devices";
import { vapidKeys } from "@/lib/alerts/push";
import { requireOwner } from "@/lib/web/session";
import { addMyDevice, removeMyDevice, seeMyDevice, testMyDevice } from "./actions";

/** The settings' card about browsers that show alerts. */
export async function AlertsCard() {
  const owner = await requireOwner();
  const { publicKey } = vapidKeys();
  const actions = { add: addMyDevice, remove: removeMyDevice, seen: seeMyDevice, test: testMyDevice };
  return (
    <Card id="browsers" title="Alerts in your browsers">
      <Devices devices={await listDevices(owner)} ownerId={owner.ownerId} publicKey={publicKey} {...actions} />
    </Card>
  );
}
