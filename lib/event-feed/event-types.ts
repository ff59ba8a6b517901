import { eventPayload } from "@/lib/approvals/sql";
import { empty, list, literal, type Sql, sql } from "@/lib/database/sql";
import { toldStatus } from "@/lib/integrations/sql";
import { toldPushed } from "@/lib/notifications/sql";
import type { Scope } from "@/lib/scopes";
import { type AppEventType, appEventTypes } from "./type-names";

/*
 * A type of event that apps are told of is one line here, and its name in `type-names.ts`. What tells an answer ends `approval.untold`: see
 * `lib/approvals/deduplication.ts`.
 */

/** How apps are told of one type of event. */
export type AppEventKind = {
  /** What a token needs to read of it; null where any live one will do. */
  scope: Scope | null;
  /** Its `data` as SQL: JSON made of the event `e`. NULL leaves the event out. */
  data: Sql;
  /** What `data` holds, for people. */
  holds: string;
};

/** The types that apps are told of, and nothing else: what an owner does besides is theirs. */
export const appEvents = {
  "approval.submitted": {
    scope: "approvals:read",
    data: sql`json_build_object('id', e.subject)`,
    holds: "`id`",
  },
  "approval.resolved": {
    scope: "approvals:read",
    data: eventPayload.resolved,
    holds: "`id`, `resolution`, `contentHash`",
  },
  "approval.deadline_passed": {
    scope: "approvals:read",
    data: eventPayload.deadlinePassed,
    holds: "`id`, `expiresAt`",
  },
  "approval.question_asked": {
    scope: "approvals:read",
    data: eventPayload.questionAsked,
    holds: "`id`, `question`",
  },
  "notification.pushed": {
    scope: "notifications:read",
    data: toldPushed,
    holds: "`id`, `title`, `type`",
  },
  "integration.status_changed": {
    scope: null,
    data: toldStatus,
    holds: "`id`, `provider`, `status`, `was`",
  },
  "grant.changed": {
    scope: null,
    // Which scopes the grant had then was not written down always.
    data: sql`CASE WHEN e.data ? 'now' THEN json_build_object('scopes', e.data -> 'now',
      'added', coalesce(e.data -> 'added', '[]'), 'removed', coalesce(e.data -> 'removed', '[]')) END`,
    holds: "`scopes`, `added`, `removed` (with nothing added or removed, the shared accounts changed)",
  },
} as const satisfies Record<AppEventType, AppEventKind>;

export const isAppEventType = (type: string): type is AppEventType => Object.hasOwn(appEvents, type);

/** The `data` of any event `e` that apps are told of. */
export const appEventData = sql`CASE e.type${appEventTypes.reduce((cases, type) => sql`${cases} WHEN ${literal(type)} THEN ${appEvents[type].data}`, empty)} END`;

/** Rows of (type, scope): the scope '' where none is needed. */
export const appEventScopes = sql`VALUES ${list(appEventTypes.map((type) => sql`(${literal(type)}, ${literal(appEvents[type].scope ?? "")})`))}`;
