import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { BlockedIcon, ComputerIcon, WarningIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ConsentView } from "@/lib/grants/schema";

/**
 * Verified facts about the app: its origin, where the answer goes and who registered it. On phones
 * they follow the permissions.
 */
export function RequestingAppCard({ view }: { view: ConsentView }) {
  const { app, redirectHost, localApp, firstTime } = view;
  return (
    <Asking name={app.name} asks="asks for your permission" firstTime={firstTime} namesake={app.namesake}>
      <dl className="grid gap-2 rounded-xl bg-pane forced-colors:border p-3.5 sm:gap-2.5 sm:p-4">
        {app.clientHost ? (
          <div>
            <dt className="text-muted">Represents the website</dt>
            <dd className="font-mono text-sm font-semibold">{app.clientHost}</dd>
          </div>
        ) : null}
        <div>
          <dt className="text-muted">Your answer goes to</dt>
          <dd className="font-mono text-sm font-semibold">{redirectHost}</dd>
        </div>
        <div>
          <dt className="text-muted">{app.kind === "metadata" ? "First seen here" : "Registered"}</dt>
          <dd>
            <Registered app={app} />
          </dd>
        </div>
      </dl>
      {localApp ? (
        <p className="flex gap-2.5 rounded-xl border border-warn bg-warn-soft p-3.5">
          <ComputerIcon className="size-5 text-warn" />
          <span>
            <strong className="font-semibold">Local app on this computer.</strong> Any program on this computer can
            pretend to be this app. Continue only if you started this yourself.
          </span>
        </p>
      ) : null}
    </Asking>
  );
}

type AskingProps = {
  name: string;
  asks: string;
  firstTime: boolean;
  namesake: boolean;
  /** A value the owner must compare before deciding. */
  first?: React.ReactNode;
  children: React.ReactNode;
};

/**
 * The page's heading: the app, and whether it is new. Next to the permissions, or around them on
 * phones.
 */
export function Asking({ name, asks, firstTime, namesake, first, children }: AskingProps) {
  return (
    <section aria-labelledby="asker" className="contents lg:sticky lg:top-5 lg:grid lg:gap-3">
      <div className="flex items-start gap-3">
        <AppIcon name={name} className="size-11 sm:size-12" />
        <div className="min-w-0">
          <h1 id="asker" className="text-lg sm:text-xl">
            <bdi>{name}</bdi> {asks}
          </h1>
          {firstTime ? (
            <p className="mt-1">
              <Badge tone="neutral">New app: no permissions yet</Badge>
            </p>
          ) : null}
        </div>
      </div>
      {first}
      {namesake ? (
        <p className="flex gap-2.5 rounded-xl border border-warn bg-warn-soft p-3.5">
          <WarningIcon className="size-5 text-warn" />
          <span>
            <strong className="font-semibold">This may not be the app you think.</strong> You have another app with this
            name, or a similar one. You’re about to give access to this one.
          </span>
        </p>
      ) : null}
      <div className="order-2 grid gap-3">
        {children}
        <ul className="grid gap-1.5 px-1 text-muted">
          {["read your mail", "see other apps’ questions", "see what you’ve read"].map((what) => (
            <li key={what} className="flex gap-2">
              <BlockedIcon className="size-5 p-0.5" /> Can’t {what}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** The registration date and who registered the app. */
export function Registered({ app }: { app: ConsentView["app"] }) {
  const when = <TimeAgo at={app.registeredAt} />;
  if (app.yours) return <>{when} by you</>;
  if (app.kind === "metadata") {
    return (
      <>
        {when} · <span className="font-mono text-sm">{app.clientHost}</span> says this is its app
      </>
    );
  }
  return (
    <>
      {when} by {app.registeredBy === undefined ? "the app itself" : <bdi>{app.registeredBy}</bdi>}
      <span className="text-warn"> · name chosen by the app, not verified</span>
    </>
  );
}
