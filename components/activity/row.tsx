import * as ui from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ActivityItem, ActivityKind } from "@/lib/events/schema";

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

const time = "relative shrink-0 text-xs whitespace-nowrap text-muted";
const actors = { you: "By you", app: "By the app", service: "By Countersign" };

/**
 * One event: a linked sentence, a line with the question, actor and details, and the folded raw
 * record. Two lines on a phone.
 */
export function ActivityRow({ item }: { item: ActivityItem }) {
  const { kind, actor, app, sentence, about, facts, at, href } = item;
  const Icon = icons[kind];
  const bad = kind === "trouble" || actor === "service";
  const words = <Sentence text={sentence} app={app?.name ?? "An app"} />;
  return (
    <li data-event className="relative">
      <div className="relative flex gap-3 py-2.5 pe-14 ps-4 has-[a]:hover:bg-pane">
        <Icon className={`mt-px size-5 ${bad ? "text-warn" : "text-muted"}`} />
        <div className="min-w-0 grow">
          <p className="flex items-baseline justify-between gap-3">
            {href ? (
              // Makes the whole row clickable.
              <Link
                href={href}
                data-row
                className="min-w-0 font-medium -outline-offset-2 after:absolute after:inset-0 max-sm:truncate max-sm:leading-6"
              >
                {words}
              </Link>
            ) : (
              <span className="min-w-0 font-medium max-sm:truncate max-sm:leading-6">{words}</span>
            )}
            <TimeAgo at={at} className={`${time} max-sm:hidden`} />
          </p>
          <div className="flex items-baseline justify-between gap-3 text-muted">
            <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 max-sm:block max-sm:truncate">
              {about ? <bdi className="line-clamp-2 text-ink max-sm:inline">{about} </bdi> : null}
              <span className={about ? "max-sm:hidden" : ""}>{actors[actor]} </span>
              {facts.map((fact) => (
                <span key={fact}>· {fact} </span>
              ))}
            </p>
            <TimeAgo at={at} className={`${time} sm:hidden`} />
          </div>
        </div>
      </div>
      <details className="group">
        <summary
          {...(href ? {} : { "data-row": true })}
          className="absolute top-1 inset-e-1.5 flex size-11 items-center justify-center rounded-lg text-muted hover:bg-fill hover:text-ink"
        >
          <ui.ChevronIcon className="size-4 rotate-90 group-open:-rotate-90" />
          <span className="sr-only">Details of: {sentence.replaceAll("{app}", () => app?.name ?? "An app")}</span>
        </summary>
        <div className="px-4 pb-3 sm:ps-12">
          <p className="mb-2 sm:hidden">{words}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre tabIndex={0} dir="ltr" className="mono overflow-x-auto rounded-lg bg-fill p-3 whitespace-pre-wrap">
            {asJson(item)}
          </pre>
        </div>
      </details>
    </li>
  );
}

/**
 * The raw event. Invisible characters and those that change text direction are shown as escapes.
 */
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

/** Isolates the app's name, which is its own text, from the direction of the surrounding text. */
const Sentence = ({ text, app }: { text: string; app: string }) =>
  text.split("{app}").map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    <span key={index}>
      {index > 0 ? <bdi>{app}</bdi> : null}
      {part}
    </span>
  ));
