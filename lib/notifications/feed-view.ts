import type { OwnerActor } from "@/lib/actor";
import { isId } from "@/lib/keys/ids";
import type { FeedPlace } from "./schema";

export type FeedFilter = {
  place?: FeedPlace;
  appId?: string;
  type?: string;
  unread?: boolean;
  /** Of the inbox: only what the owner muted, which is left out otherwise. */
  muted?: boolean;
  /** Words that stand in title or text, in any case. */
  search?: string;
  /** The id of the notification to go on after. */
  before?: string;
  /** The id of the newest to be among them. */
  upTo?: string;
};

/** By what each place is ordered. */
const orders = {
  inbox: { by: "surfaced_at", way: "DESC", after: "<" },
  snoozed: { by: "surfaced_at", way: "ASC", after: ">" },
  done: { by: "done_at", way: "DESC", after: "<" },
} as const;
const places = {
  inbox: "n.surfaced_at <= now()",
  snoozed: "n.surfaced_at > now()",
  done: "n.done_at IS NOT NULL AND n.replaced_at IS NULL",
};

/** Every one, whatever became of it. */
export const every = `(SELECT a.*, coalesce(c.notifications_muted, false) AS app_muted, coalesce(a.type = ANY (c.muted_types), false) AS type_muted
  FROM notification a LEFT JOIN app_choice c ON c.owner_id = a.owner_id AND c.app_id = a.app_id) AS n`;

/** The part of the feed that is asked for, all but its search, as SQL about rows `n`; `at` is the time it is ordered by. */
export function feedView(owner: OwnerActor, filter: FeedFilter) {
  const { place = "inbox", appId, type, unread, muted = false, before, upTo } = filter;
  const { by, way, after } = orders[place];
  const values: unknown[] = [owner.ownerId];
  const given = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    "n.owner_id = $1",
    places[place],
    place === "inbox" && (muted ? "(n.app_muted OR n.type_muted)" : "NOT (n.app_muted OR n.type_muted)"),
    unread && "n.read_at IS NULL",
    appId && `n.app_id = ${given(appId)}`,
    type && `n.type = ${given(type)}`,
    upTo &&
      `n.surfaced_at <= (SELECT u.surfaced_at FROM notification u WHERE u.owner_id = $1 AND u.id = ${given(upTo)})`,
    before &&
      isId("ntf", before) &&
      `(n.${by}, n.id) ${after} (SELECT c.${by}, c.id FROM notification c WHERE c.owner_id = $1 AND c.id = ${given(before)})`,
  ].filter(Boolean);
  return {
    from: `FROM ${place === "done" ? every : "open_notification n"} WHERE ${conditions.join(" AND ")}`,
    order: `n.${by} ${way}, n.id ${way}`,
    at: `n.${by}`,
    values,
  };
}
