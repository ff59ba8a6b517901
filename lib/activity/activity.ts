import type { OwnerActor } from "@/lib/actor";
import { questionOf } from "@/lib/approvals/approval-sql-for-other-domains";
import { appName, ownsApp } from "@/lib/apps/app-sql-for-other-domains";
import { sql } from "@/lib/database/sql";
import { ActivityFilter, type ActivityItem, type ActivityPage } from "@/lib/events/activity-schema";
import { describeEvent } from "@/lib/events/event-descriptions";
import { type EventFilter, eventsOf } from "@/lib/events/owner-events-sql";
import { accountCalled } from "@/lib/integrations/linked-account-sql-for-other-domains";
import { titleOf } from "@/lib/notifications/notification-sql-for-other-domains";
import { allows } from "@/lib/scopes";
import { firstPage, scanMatches, searchFor, searchReach } from "@/lib/text/record-search";
import { plainSentence } from "./activity-export";

const pageSize = 50;
/** Events per export batch, and per search step. */
const exportSize = 500;
const searchSize = 2_000;

type Reading = {
  /** An IANA name that defines the filter's days; UTC by default. */
  timeZone?: string;
};

/** Reads the owner's activity, newest first, filtered. */
export async function readActivity(
  owner: OwnerActor,
  filter: ActivityFilter = {},
  reading: Reading = {},
): Promise<ActivityPage> {
  const { text, before, ...rest } = ActivityFilter.parse(filter);
  const look = (after: string | undefined, size: number) => read(owner, { ...rest, before: after }, size, reading);
  if (text === undefined) return firstPage(await look(before, pageSize), pageSize);
  const how = { after: before, max: pageSize, sizes: [searchSize], reach: searchReach };
  const { found, next, reached } = await scanMatches(look, matcherFor(text), how);
  return { items: found, ...(next && { next }), ...(reached !== undefined && { reached }) };
}

/** Reads all matching events, newest first, in batches, on demand. */
export async function* exportActivity(
  owner: OwnerActor,
  filter: ActivityFilter = {},
  reading: Reading = {},
): AsyncGenerator<ActivityItem[]> {
  const { text, before, ...rest } = ActivityFilter.parse(filter);
  const has = text === undefined ? () => true : matcherFor(text);
  let from = before;
  do {
    const { items, next } = firstPage(await read(owner, { ...rest, before: from }, exportSize, reading), exportSize);
    yield items.filter(has);
    from = next;
  } while (from !== undefined);
}

/** Returns a function that checks whether an event matches a search. */
function matcherFor(text: string): (item: ActivityItem) => boolean {
  const has = searchFor(text);
  return (item) => {
    const { app, about = "", subject, type, facts, data } = item;
    const more = Object.values(data).flat().map(String);
    return has([plainSentence(item), about, subject, type, app?.appId ?? "", ...facts, ...more]);
  };
}

/** Reads up to `size` + 1 events. The extra event shows whether there is a next page. */
async function read({ ownerId }: OwnerActor, filter: EventFilter, size: number, { timeZone = "UTC" }: Reading) {
  const found = await sql<ActivityRow>`
    SELECT e.id::text, (extract(epoch FROM e.created_at) * 1000)::float8 AS at, e.type, e.subject,
      e.data, e.app_id, ${appName(sql`e.app_id`)} AS name,
      ${ownsApp(ownerId, sql`e.app_id`)} AS own, g.id IS NOT NULL AS connected,
      left(coalesce(a.question, n.title, i.name), 200) AS about, i.provider
    FROM (${eventsOf(ownerId, filter, size + 1, timeZone)}) AS e
      LEFT JOIN live_grant g ON g.owner_id = ${ownerId} AND g.app_id = e.app_id
      LEFT JOIN LATERAL ${questionOf(subject, ownerId)} AS a ON true
      LEFT JOIN LATERAL ${titleOf(subject, ownerId)} AS n ON true
      LEFT JOIN LATERAL ${accountCalled(subject, ownerId)} AS i ON true
    ORDER BY e.id DESC`.rows();
  return found.map(item);
}

const subject = sql`e.subject`;

type ActivityRow = {
  id: string;
  at: number;
  type: string;
  subject: string;
  data: Record<string, unknown>;
  app_id: string | null;
  name: string | null;
  own: boolean;
  connected: boolean;
  about: string | null;
  provider: string | null;
};

function item(row: ActivityRow): ActivityItem {
  const { id, at, type, subject, data } = row;
  const { kind, actor, sentence } = describeEvent(type);
  const known = row.provider === null ? data : { provider: row.provider, ...data };
  const href = pageOf(row);
  return {
    ...{ id, at, type, kind, subject, data },
    actor: typeof actor === "function" ? actor(known) : actor,
    ...(row.app_id !== null && { app: { appId: row.app_id, name: row.name ?? "An app" } }),
    sentence: typeof sentence === "function" ? sentence(known) : sentence,
    // The sentence about a linked account already contains everything known about the account.
    facts: row.provider === null ? factsOf(data) : [],
    ...(row.about !== null && { about: row.about }),
    ...(href && { href }),
  };
}

/**
 * Returns the path of the page about the event's subject; undefined if that page no longer exists.
 */
function pageOf({ type, subject, app_id, connected, own, about }: ActivityRow): string | undefined {
  const place = describeEvent(type).about;
  const pages: Record<NonNullable<typeof place>, string | undefined> = {
    approval: about === null ? undefined : `/approvals/${subject}`,
    notifications: app_id === null ? "/notifications" : `/notifications?app=${app_id}`,
    app: connected ? `/apps/${app_id}` : undefined,
    registration: own ? `/developer/${app_id}` : undefined,
    integrations: about === null ? "/integrations" : `/integrations/${subject}`,
    settings: settingsPageOf(type),
  };
  return place && pages[place];
}

function settingsPageOf(type: string): string {
  if (type.startsWith("channel.")) return "/settings/alerts";
  if (type === "owner.archived") return "/settings/data";
  return /^owner\.(settings_changed|changed|email_)/.test(type) ? "/settings" : "/settings/security";
}

/**
 * Returns the facts that an event's sentence omits: a token's permissions and its last characters.
 */
const factsOf = ({ scopes, token }: Record<string, unknown>): string[] => [
  ...(Array.isArray(scopes) && scopes.length > 0 ? [`can ${allows(scopes.map(String))}`] : []),
  ...(typeof token === "string" ? [`token …${token}`] : []),
];
