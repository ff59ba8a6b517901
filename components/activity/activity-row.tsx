import * as ui from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ActivityItem, ActivityKind } from "@/lib/events/activity-schema";

const icons: Record<ActivityKind, typeof ui.AppsIcon> = {
  permissions: ui.AppsIcon,
  tokens: ui.KeyIcon,
  trouble: ui.BlockedIcon,
  answers: ui.ApprovalsIcon,
  notifications: ui.NotificationsIcon,
  "sign-ins": ui.SettingsIcon,
  apps: ui.DeveloperIcon,
  accounts: ui.IntegrationsIcon,
};

/** One event: a linked sentence, the event's details, and the collapsed raw record. */
export function ActivityRow({ item }: { item: ActivityItem }) {
  const { kind, actor, app, sentence, about, facts, at, href } = item;
  const Icon = icons[kind];
  const bad = kind === "trouble" || actor === "service";
  const words = <Sentence text={sentence} app={app?.name ?? "An app"} />;
  return (
    <li data-event className="group/row relative rounded-lg hover:bg-fill">
      <div className="relative flex min-h-14 items-center max-sm:items-start gap-3 py-2 ps-3 pe-12 sm:min-h-10 sm:pointer-fine:pe-3">
        <Icon className={`size-5 max-sm:my-2.5 ${bad ? "text-warn" : "text-muted"}`} />
        <p className="min-w-0 grow max-sm:min-h-10 max-sm:content-center sm:line-clamp-2">
          {href ? (
            // Makes the whole row clickable.
            <Link href={href} data-row className={`${title} -outline-offset-2 after:absolute after:inset-0`}>
              {words}
            </Link>
          ) : (
            <span className={title}>{words}</span>
          )}{" "}
          <span className="text-muted max-sm:block max-sm:truncate sm:ms-1">
            <Details about={about} facts={facts} />
          </span>
        </p>
        <TimeAgo
          at={at}
          className="shrink-0 text-xs whitespace-nowrap text-muted max-sm:leading-10 sm:pointer-fine:group-hover/row:invisible sm:pointer-fine:group-has-[[open]]/row:invisible"
        />
      </div>
      <details className="group">
        <summary
          {...(href ? {} : { "data-row": true })}
          className="absolute top-1.5 inset-e-1 flex size-11 items-center justify-center rounded-lg text-muted hover:text-ink group-open:opacity-100! focus-visible:opacity-100 sm:top-0 sm:h-10 sm:pointer-fine:opacity-0 sm:pointer-fine:group-hover/row:opacity-100"
        >
          <ui.ChevronIcon className="size-4 rotate-90 group-open:-rotate-90" />
          <span className="sr-only">Details: {sentence.replaceAll("{app}", () => app?.name ?? "An app")}</span>
        </summary>
        <div className="px-3 pb-3 sm:ps-11">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre tabIndex={0} dir="ltr" className="mono overflow-x-auto rounded-lg bg-pane p-3 whitespace-pre-wrap">
            {asJson(item)}
          </pre>
        </div>
      </details>
    </li>
  );
}

/** The classes of an event's sentence, which takes up to three lines of its own on a phone. */
const title = "font-medium max-sm:line-clamp-3";

/** The subject in the app's own words, and further facts. */
const Details = ({ about, facts }: Pick<ActivityItem, "about" | "facts">) =>
  [about, ...facts].filter(Boolean).map((it, at) => (
    <span key={it}>
      {at > 0 ? " · " : ""}
      <bdi>{it}</bdi>
    </span>
  ));

/** The raw event. Invisible characters and direction controls are shown as escapes. */
function asJson({ id, at, type, actor, app, subject, about, data }: ActivityItem): string {
  const written = {
    id,
    time: new Date(at).toISOString(),
    type,
    actor,
    subject,
    ...(about !== undefined && { about }),
    ...(app && { app: { id: app.appId, name: app.name } }),
    data,
  };
  const code = (letter: string) =>
    [...letter].map((it) => `\\u{${(it.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`).join("");
  return JSON.stringify(written, null, 2).replace(/(?!\n)[\p{C}\u2028\u2029]/gu, code);
}

/**
 * An event's sentence. The app chose its name, so the name's text direction is isolated from the
 * sentence.
 */
const Sentence = ({ text, app }: { text: string; app: string }) =>
  text.split("{app}").map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    <span key={index}>
      {index > 0 ? <bdi>{app}</bdi> : null}
      {part}
    </span>
  ));
