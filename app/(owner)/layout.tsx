import { SaidHere } from "@/components/acts/said";
import { Worker } from "@/components/alerts/worker";
import { GlobalKeys } from "@/components/keys/global-keys";
import { Shell } from "@/components/layout/shell";
import { Live } from "@/components/live/live";
import { RefusalsNotice } from "@/components/owners/refusals-notice";
import { OwnersChoices } from "@/components/settings/choices";
import { readNews } from "@/lib/news/news";
import { readQuiet } from "@/lib/notifications/quiet";
import { unseenRefusals } from "@/lib/owners/refusals";
import { lookCookie, readLook } from "@/lib/web/look";
import { readSaid } from "@/lib/web/said";
import { requireOwner, settingsOf } from "@/lib/web/session";
import { find } from "./actions";
import { seeMyDevice } from "./alerts/actions";
import { dismissRefusals, saveSetting } from "./settings/actions";

export default async function OwnerLayout({ children }: { children: React.ReactNode }) {
  const owner = await requireOwner();
  const [settings, painted, refusals, said] = await Promise.all([
    settingsOf(owner),
    readLook(),
    unseenRefusals(owner),
    readSaid(),
  ]);
  const { pending, unseen, broken, event } = await readNews({ ...owner, quiet: await readQuiet(owner, settings) });
  const { theme, density, motion, singleKeys } = settings;
  const isPainted = painted.theme === theme && painted.density === density && painted.motion === motion;
  return (
    <OwnersChoices
      choices={{ theme, density, motion, singleKeys }}
      save={saveSetting}
      ownerId={owner.ownerId}
      remember={isPainted ? undefined : lookCookie(settings)}
    >
      <Shell owner={owner} pending={pending} unseen={unseen} broken={broken}>
        <Live pending={pending} event={event} ownerId={owner.ownerId} />
        <Worker ownerId={owner.ownerId} waiting={pending} seen={seeMyDevice} />
        {refusals ? <RefusalsNotice refusals={refusals} action={dismissRefusals} /> : null}
        <SaidHere said={said}>{children}</SaidHere>
      </Shell>
      <GlobalKeys find={find} />
    </OwnersChoices>
  );
}
