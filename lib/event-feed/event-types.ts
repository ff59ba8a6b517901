import { eventPayload } from "@/lib/approvals/approval-sql-for-other-domains";
import { empty, list, literal, type Sql, sql } from "@/lib/database/sql";
import { toldStatus } from "@/lib/integrations/linked-account-sql-for-other-domains";
import { toldPushed } from "@/lib/notifications/notification-sql-for-other-domains";
import type { Scope } from "@/lib/scopes";
import { type AppEventType, appEventTypes } from "./event-type-names";

/*
 * The event types for apps. A new type needs an entry here and its name in `event-type-names.ts`. A
 * type that delivers an answer must clear `approval.undelivered`: see `lib/approvals/deduplication.ts`.
 */

/** How apps receive one type of event. */
export type AppEventKind = {
  /** The scope needed to read the event; null if any valid token may. */
  scope: Scope | null;
  /** SQL: the event's `data`, as JSON built from the event `e`. NULL omits the event. */
  data: Sql;
  /** Describes `data` for the documentation. */
  holds: string;
};

const kind = (scope: Scope | null, data: Sql, holds: string): AppEventKind => ({ scope, data, holds });

/** All event types that apps receive. Events of other types are private to the owner. */
export const appEvents: Readonly<Record<AppEventType, AppEventKind>> = {
  "approval.submitted": kind("approvals:read", sql`json_build_object('id', e.subject)`, "`id`"),
  "approval.resolved": kind("approvals:read", eventPayload.resolved, "`id`, `resolution`, `contentHash`"),
  "approval.deadline_passed": kind("approvals:read", eventPayload.deadlinePassed, "`id`, `expiresAt`"),
  "approval.question_asked": kind("approvals:read", eventPayload.questionAsked, "`id`, `question`"),
  "approval.withdrawn": kind("approvals:read", eventPayload.withdrawn, "`id`, `withdrawnAt`"),
  "notification.pushed": kind("notifications:read", toldPushed, "`id`, `title`, `type`"),
  "integration.status_changed": kind(null, toldStatus, "`id`, `provider`, `status`, `was`"),
  "grant.changed": kind(
    null,
    // Older events did not record the grant's scopes.
    sql`CASE
      WHEN e.data ? 'now'
        THEN json_build_object(
          'scopes', e.data -> 'now', 'added', coalesce(e.data -> 'added', '[]'),
          'removed', coalesce(e.data -> 'removed', '[]')
        )
    END`,
    "`scopes`, `added`, `removed` (`added` and `removed` are empty if only the shared accounts changed)",
  ),
  // An app that another freeze covers gets no event.
  "owner.frozen": kind(
    null,
    sql`CASE WHEN NOT e.data ? 'unchanged' THEN json_build_object('by', e.data -> 'by') END`,
    "`by` (`owner`, `app` or `operator`)",
  ),
  "owner.unfrozen": kind(
    null,
    sql`CASE
      WHEN NOT e.data ? 'unchanged' THEN json_build_object('frozenMs', e.data -> 'frozenMs')
    END`,
    "`frozenMs` (the duration of the freeze in milliseconds, by which the deadlines of pending approvals moved)",
  ),
  "owner.keys_changed": kind(
    "approvals:read",
    sql`json_build_object('credentialId', e.data -> 'credentialId', 'change', e.data -> 'change')`,
    "`credentialId`, `change` (`added` or `removed`)",
  ),
};

export const isAppEventType = (type: string): type is AppEventType => Object.hasOwn(appEvents, type);

const dataCases = appEventTypes.reduce(
  (cases, type) => sql`${cases} WHEN ${literal(type)} THEN ${appEvents[type].data}`,
  empty,
);
/** SQL: the `data` of any event `e` for apps. */
export const appEventData = sql`CASE e.type${dataCases} END`;

const scopeOf = (type: AppEventType) => literal(appEvents[type].scope ?? "");
/** SQL: rows of (type, scope). The scope is '' if the type needs none. */
export const appEventScopes = sql`
  VALUES ${list(appEventTypes.map((type) => sql`(${literal(type)}, ${scopeOf(type)})`))}`;
