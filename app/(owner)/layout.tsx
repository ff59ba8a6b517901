import { actionUrl } from "@/components/actions/send";
import { ServiceWorkerRegistration } from "@/components/alerts/service-worker";
import { GlobalKeys } from "@/components/keys/global-keys";
import { Shell } from "@/components/layout/shell";
import { Live } from "@/components/live/live";
import { OwnersChoices } from "@/components/settings/choices";
import { TimeZoneSync } from "@/components/settings/time-zone-sync";
import { Button } from "@/components/ui/button";
import { LinkLine } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { pageVersion, readLiveCounts } from "@/lib/live-counts/live-counts";
import { readQuiet } from "@/lib/notifications/active-quiet-hours";
import { type FailedSignIns, unseenFailedSignIns } from "@/lib/owners/failed-sign-ins";
import { plural } from "@/lib/text/plural";
import { appearanceCookie, readAppearance } from "@/lib/web/appearance";
import { requireOwner, settingsOf } from "@/lib/web/session";

export default async function OwnerLayout({ children }: { children: React.ReactNode }) {
  const owner = await requireOwner();
  const [settings, painted, refusals] = await Promise.all([
    settingsOf(owner),
    readAppearance(),
    unseenFailedSignIns(owner),
  ]);
  const { pending, unseen, broken } = await readLiveCounts({ ...owner, quiet: await readQuiet(owner, settings) });
  // Rows are read concurrently, so they may lack items that arrived after these counts.
  const version = pageVersion({ ...owner, unseen });
  const { name, email } = owner;
  const { theme, density, motion, singleKeys } = settings;
  const isPainted = painted.theme === theme && painted.density === density && painted.motion === motion;
  return (
    <OwnersChoices
      choices={{ theme, density, motion, singleKeys }}
      ownerId={owner.ownerId}
      remember={isPainted ? undefined : appearanceCookie(settings)}
    >
      <Shell owner={{ name, email }} pending={pending} unseen={unseen} broken={broken}>
        <Live shown={{ pending, version }} ownerId={owner.ownerId} />
        <ServiceWorkerRegistration ownerId={owner.ownerId} waiting={pending} />
        {refusals ? <RefusalsNotice refusals={refusals} /> : null}
        {children}
      </Shell>
      <GlobalKeys />
      <TimeZoneSync now={settings.timeZone} known={settings.zoneKnown} ownerId={owner.ownerId} />
    </OwnersChoices>
  );
}

/** A notice of failed sign-ins on every page, until the owner dismisses it. */
function RefusalsNotice({ refusals: { count, to } }: { refusals: FailedSignIns }) {
  return (
    <aside aria-label="Failed sign-ins" className="gutter max-w-5xl pt-4">
      <Notice
        tone="warn"
        title={plural(count, {
          one: "# failed sign-in since your last visit",
          other: "# failed sign-ins since your last visit",
        })}
      >
        <p>
          The last attempt was <TimeAgo at={to} />. If this wasn’t you, review the attempts and their addresses.
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-5">
          <LinkLine href="/activity?kind=trouble">Show in Activity</LinkLine>
          {/* A plain form, to keep scripts off every page. */}
          <form action={actionUrl("refusals.dismiss")} method="post">
            <input type="hidden" name="until" value={to} />
            <Button type="submit" variant="quiet" size="small">
              Dismiss
            </Button>
          </form>
        </div>
      </Notice>
    </aside>
  );
}
