import { AppIcon } from "@/components/ui/app-icon";
import { WarningIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ConsentOffer, ConsentView } from "@/lib/grants/schema";

/** The head of a consent page: the app, who added it, and the site to which the owner returns. */
export const RequestingApp = ({ view }: { view: ConsentView }) => (
  <Asker offer={view}>
    <p>
      The app will send you back to <b className="font-semibold break-all text-ink">{view.redirectHost}</b>
      {view.localApp ? ", on this computer" : ""}
    </p>
    {view.localApp ? <p>Continue only if you just started this app.</p> : null}
  </Asker>
);

type AskerProps = {
  offer: Pick<ConsentOffer, "app" | "firstTime" | "requested">;
  /** A value the owner must compare before deciding. */
  first?: React.ReactNode;
  children?: React.ReactNode;
};

/** The page's heading: the app, and whether it is new. */
export function Asker({ offer: { app, firstTime, requested }, first, children }: AskerProps) {
  const name = <bdi>{app.name}</bdi>;
  const wantsMore = requested.some(({ grantedAt }) => grantedAt === undefined);
  return (
    <section aria-labelledby="asker" className="grid justify-items-center gap-2 text-center text-xs text-muted">
      <AppIcon name={app.name} className="size-14 sm:size-11" />
      <h1 id="asker" className="text-xl text-ink">
        {firstTime ? <>Connect {name}?</> : wantsMore ? <>Give {name} more access?</> : <>Connect {name} again?</>}
      </h1>
      <div>
        <p>
          <Provenance app={app} />
        </p>
        {children}
      </div>
      {app.namesake ? (
        <p className="flex gap-2.5 rounded-xl bg-danger-soft p-3.5 text-start text-sm text-ink forced-colors:border">
          <WarningIcon className="size-5 text-danger" />
          <span>
            <strong className="font-semibold text-danger">Check this app’s name.</strong> You already have an app with
            this name or a similar name.
          </span>
        </p>
      ) : null}
      {first}
    </section>
  );
}

/**
 * Who added the app, and when. Only an app that publishes a document on its own website is
 * verified.
 */
function Provenance({ app }: { app: ConsentOffer["app"] }) {
  const when = <TimeAgo at={app.registeredAt} />;
  if (app.yours) return <>Added by you {when}</>;
  if (app.kind === "metadata") {
    return (
      <>
        From <b className="font-semibold break-all text-ink">{app.clientHost}</b> · first seen {when}
      </>
    );
  }
  return (
    <>
      Unverified ·{" "}
      {app.registeredBy === undefined ? (
        "self-registered"
      ) : (
        <>
          added by <bdi>{app.registeredBy}</bdi>
        </>
      )}{" "}
      {when}
    </>
  );
}
