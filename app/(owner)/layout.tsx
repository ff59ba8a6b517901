import { actionUrl } from "@/components/actions/send-action";
import { ServiceWorkerRegistration } from "@/components/alerts/service-worker-registration";
import { FreezeNotice } from "@/components/freeze/freeze-notice";
import { GlobalKeys } from "@/components/keyboard/global-keys";
import { Shell } from "@/components/layout/app-shell";
import { Live } from "@/components/live/live-updates";
import { PreferencesProvider } from "@/components/settings/preferences-provider";
import { TimeZoneSync } from "@/components/settings/time-zone-sync";
import { Button } from "@/components/ui/button";
import { BlockedIcon } from "@/components/ui/icons";
import { TextLink } from "@/components/ui/styled-links";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { everyApp, listFreezes } from "@/lib/freeze/freeze";
import { pageVersion, readLiveCounts } from "@/lib/live-counts/live-counts";
import { readQuiet } from "@/lib/notifications/active-quiet-hours";
import { type FailedSignIns, unseenFailedSignIns } from "@/lib/owners/failed-sign-ins";
import { appearanceCookie, readAppearance } from "@/lib/web/appearance";
import { requireOwner, settingsOf } from "@/lib/web/session";

export default async function OwnerLayout({ children }: { children: React.ReactNode }) {
  const owner = await requireOwner();
  const [settings, painted, refusals, freezes] = await Promise.all([
    settingsOf(owner),
    readAppearance(),
    unseenFailedSignIns(owner),
    listFreezes(owner),
  ]);
  const { pending, unseen, broken } = await readLiveCounts({ ...owner, quiet: await readQuiet(owner, settings) });
  // Uses the snapshot and the count from the start of the request. The page's rows are read
  // concurrently, so they may lack changes made after that snapshot.
  const version = pageVersion({ ...owner, unseen });
  const { name, email } = owner;
  const { theme, density, motion, singleKeys } = settings;
  const isPainted = painted.theme === theme && painted.density === density && painted.motion === motion;
  return (
    <PreferencesProvider
      choices={{ theme, density, motion, singleKeys }}
      ownerId={owner.ownerId}
      remember={isPainted ? undefined : appearanceCookie(settings)}
    >
      <Shell
        owner={{ name, email }}
        pending={pending}
        unseen={unseen}
        broken={broken}
        frozen={freezes[0]?.appId === everyApp}
      >
        <Live shown={{ pending, version }} ownerId={owner.ownerId} />
        <ServiceWorkerRegistration ownerId={owner.ownerId} waiting={pending} />
        {refusals ? <RefusalsNotice refusals={refusals} /> : null}
        <FreezeNotice freezes={freezes} />
        {children}
      </Shell>
      <GlobalKeys />
      <TimeZoneSync now={settings.timeZone} known={settings.zoneKnown} ownerId={owner.ownerId} />
    </PreferencesProvider>
  );
}

/** A one-line notice about failed sign-ins, on every page until the owner dismisses it. */
const RefusalsNotice = ({ refusals: { count, to } }: { refusals: FailedSignIns }) => (
  <aside
    aria-label="Failed sign-ins"
    className="flex items-center justify-between gap-x-3 bg-warn-soft ps-(--gutter) pe-1 forced-colors:border-b"
  >
    <p className="min-w-0 py-1">
      {count > 1
        ? `${count > 99 ? "99+" : count} failed sign-ins to your account, the latest`
        : "Failed sign-in to your account"}{" "}
      <TimeAgo at={to} />. <TextLink href="/activity?kind=trouble">See details</TextLink>
    </p>
    {/* A plain form, so that dismissing the notice works without scripts. */}
    <form action={actionUrl("refusals.dismiss")} method="post">
      <input type="hidden" name="until" value={to} />
      <Button type="submit" variant="quiet" size="small" aria-label="Dismiss the notice" title="Dismiss">
        <BlockedIcon className="size-4" />
      </Button>
    </form>
  </aside>
);
