import Link from "next/link";
import {
  ApprovalsIcon,
  AppsIcon,
  BlockedIcon,
  DeveloperIcon,
  IntegrationsIcon,
  KeyIcon,
  NotificationsIcon,
  SettingsIcon,
} from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time-ago";
import type { ActivityItem, ActivityKind } from "@/lib/events/schema";

const icons: Record<ActivityKind, typeof AppsIcon> = {
  permissions: AppsIcon,
  tokens: KeyIcon,
  refusals: BlockedIcon,
  answers: ApprovalsIcon,
  notifications: NotificationsIcon,
  "sign-ins": SettingsIcon,
  apps: DeveloperIcon,
  accounts: IntegrationsIcon,
};

const actors = { you: "By you", app: "By the app", service: "By Countersign" };

/** One thing that happened: a sentence that leads to what it concerns, and under it who, when and what else is known. */
export function ActivityRow({ item }: { item: ActivityItem }) {
  const { kind, actor, app, sentence, facts, at, href } = item;
  const Icon = icons[kind];
  const bad = kind === "refusals" || actor === "service";
  const words = <Sentence text={sentence} app={app?.name ?? "An app"} />;
  return (
    <li className="relative flex gap-3 px-4 py-3 has-[a]:hover:bg-surface">
      <Icon className={`mt-px size-5 ${bad ? "text-warn" : "text-muted"}`} />
      <div className="min-w-0 grow">
        <p className="font-medium">
          {href ? (
            // The whole row is the target.
            <Link href={href} prefetch={false} className="after:absolute after:inset-0">
              {words}
            </Link>
          ) : (
            words
          )}
        </p>
        <p className="flex flex-wrap items-baseline gap-x-2 text-muted">
          <span>
            {actors[actor]} · <TimeAgo at={at} className="relative" />
          </span>
          {facts.map((fact) => (
            <span key={fact} className="mono">
              {fact}
            </span>
          ))}
        </p>
      </div>
    </li>
  );
}

/** The app's name is the app's own text: it is set apart, so that its letters order nothing around them. */
const Sentence = ({ text, app }: { text: string; app: string }) =>
  text.split("{app}").map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    <span key={index}>
      {index > 0 ? <bdi>{app}</bdi> : null}
      {part}
    </span>
  ));
