import type { OwnerActor } from "@/lib/actor";
import { answerApproval } from "@/lib/approvals/answer";
import {
  type HowEnded,
  type OneTapQuestion,
  oneTapQuestion,
  outcomeOf,
} from "@/lib/approvals/approval-sql-for-other-domains";
import { impersonates } from "@/lib/approvals/detect-impersonation";
import { factLines } from "@/lib/approvals/facts";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { sql } from "@/lib/database/sql";
import { asAppError } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { isId } from "@/lib/ids";
import { isSigned, sign } from "@/lib/keys/crypto";
import { plural } from "@/lib/text/plural";
import { maxLength } from "./alert-message";
import { outcomeText } from "./channels/closed-alert-text";
import type { AlertOffer } from "./push-schema";

/*
 * One press on an alert may answer a low-risk question. The button carries a signed ticket for the
 * alert, its browser or channel, and the hash of the displayed question. A ticket is valid for one
 * press while the alert is open.
 */

/**
 * The maximum length of a button label, in characters. Every platform shows a label of this length
 * in full.
 */
const maxLabelLength = 40;

/**
 * Returns the answers that an alert offers. Returns undefined if the question doesn't fit into the
 * alert as a whole, or its text could be mistaken for ours.
 */
export function offerOf(
  { question, facts, background, recommendation, options, seen }: OneTapQuestion,
  { alertId, target }: { alertId: string; target: string },
): AlertOffer | undefined {
  const recommended = options.find(({ id }) => id === recommendation)?.label ?? recommendation;
  const text = [
    question,
    ...factLines(facts),
    background,
    recommended && `Suggested: ${recommended}`,
    ...options.map(({ label, note }) => note && `${label}: ${note}`),
  ]
    .filter(Boolean)
    .join("\n");
  const labels = options.map(({ label }) => label);
  const whole = [...text].length <= maxLength.body && labels.every((label) => [...label].length <= maxLabelLength);
  if (!whole || impersonates([text, ...labels])) return undefined;
  const about = [alertId, target, seen].join(".");
  return { text, labels, ticket: `${about}.${sign("alert answer", about)}` };
}

/**
 * Returns the contents of a valid ticket: the alert, its browser or channel, and the question's
 * hash. Returns undefined for an invalid ticket.
 */
export function alertOf(ticket: string): { alertId: string; target: string; seen: string } | undefined {
  const [alertId = "", target = "", seen = "", tag = ""] = ticket.split(".");
  const ours = isId("alt", alertId) && isSigned("alert answer", [alertId, target, seen].join("."), tag);
  return ours ? { alertId, target, seen } : undefined;
}

/**
 * The result of a press, as text for the alert. `leftMs` is how long the answer can still be
 * undone, in milliseconds.
 */
export type PressOutcome = { title: string; body: string; link: string; leftMs?: number };

type Pressed = {
  owner_id: string;
  app_id: string;
  app: string;
  connected: boolean;
  tag: string;
  asks: OneTapQuestion | null;
  ending: HowEnded | null;
  place: string;
  taken: boolean;
};

/** Reads a form's answer field. Returns undefined unless the field is `0` or `1`. */
export const choiceIn = (field: unknown): 0 | 1 | undefined => (field === "0" ? 0 : field === "1" ? 1 : undefined);

/**
 * Answers a question as its owner, through a button on its alert. An alert accepts one press, only
 * while the question is unchanged and the app is connected. In a browser, an alert accepts a press
 * only within an hour after it was sent.
 */
export async function answerFromAlert(ticket: string, choice: 0 | 1 | undefined): Promise<PressOutcome | undefined> {
  const read = alertOf(ticket);
  if (!read || choice === undefined) return undefined;
  const { alertId, target, seen } = read;
  const press = await change(null, async (tx) => {
    const found = await sql<Pressed>`
      WITH asked AS (
        SELECT al.owner_id, al.app_id, ${appName(sql`al.app_id`)} AS app, al.tag, al.closed_at,
          t.kind,
          EXISTS (
            SELECT FROM live_grant g WHERE g.owner_id = al.owner_id AND g.app_id = al.app_id
          ) AS connected,
          ${oneTapQuestion(sql`al.tag`)} AS asks, ${outcomeOf(sql`al.tag`)} AS ending,
          coalesce(
            (SELECT c.name FROM alert_channel c WHERE c.id = t.id),
            (SELECT b.device FROM push_subscription b WHERE b.id = t.id)
          ) AS place
        FROM alert al JOIN alert_target t ON t.owner_id = al.owner_id
        WHERE al.id = ${alertId} AND t.id = ${target}
      ), taken AS (
        UPDATE alert_delivery d
        SET pressed_at = now()
        FROM asked
        -- The ticket's holder received it, whether or not that was recorded.
        WHERE d.owner_id = asked.owner_id
          AND d.alert_id = ${alertId}
          AND d.target_id = ${target}
          AND d.kind = 'show'
          AND coalesce(d.outcome, 'sent') = 'sent'
          AND d.pressed_at IS NULL
          AND asked.closed_at IS NULL
          AND asked.asks ->> 'seen' = ${seen}
          AND (asked.kind <> 'browser' OR coalesce(d.ended_at, now()) > now() - interval '1 hour')
        RETURNING d.alert_id
      )
      SELECT owner_id, app_id, app, connected, tag, asks, ending, place,
        EXISTS (SELECT FROM taken) AS taken
      FROM asked`.row(tx);
    if (!found?.taken) return found;
    const { owner_id: ownerId, app_id: appId, tag: subject, place } = found;
    await record(tx, { ownerId, appId, type: "approval.pressed", subject, data: { on: place } });
    return found;
  });
  if (!press) return undefined;
  const link = `/approvals/${press.tag}`;
  if (press.ending) return { title: "Already answered", body: sentence(outcomeText(press.ending)), link };
  if (!press.connected) {
    const body = `${press.app} is no longer connected. Open the question to answer.`;
    return { title: "Couldn’t send your answer", body, link };
  }
  const option = press.asks?.options[choice];
  if (!press.taken || !press.asks || !option) return undefined;
  return answer(press.owner_id, press.tag, { option, asks: press.asks, link });
}

type Chosen = { option: OneTapQuestion["options"][number]; asks: OneTapQuestion; link: string };

async function answer(ownerId: string, id: string, { option, asks, link }: Chosen): Promise<PressOutcome | undefined> {
  const owner: OwnerActor = { kind: "owner", ownerId };
  try {
    // A question that needs confirmation can't be answered from an alert.
    const given = await answerApproval(owner, id, { kind: "option", optionId: option.id }, asks.seen);
    if ("unconfirmed" in given) return undefined;
    if (given.won === false) {
      const resolvedBy = given.resolution.resolvedBy;
      const label = asks.options.find((it) => it.id === given.resolution.optionId)?.label;
      return {
        title: "Already answered",
        body: sentence(outcomeText({ resolvedBy, ...(label !== undefined && { label }) })),
        link,
      };
    }
    const answered = { title: `Answered · ${option.label}`, body: asks.question, link };
    if (!given.held) return answered;
    const { leftMs } = given.held;
    const undo = `To undo, open the question within ${plural(Math.round(leftMs / 1000), { one: "a second", other: "# seconds" })}.`;
    return { ...answered, body: `${answered.body}\n${undo}`, leftMs };
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    return known.status === 409
      ? { title: "Couldn’t send your answer", body: sentence(known.message), link }
      : undefined;
  }
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
