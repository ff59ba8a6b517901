import { z } from "zod";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { asAppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { keyOf, type StoredKey } from "@/lib/keys/data-keys";
import { log } from "@/lib/log";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { alertOf, answerFromAlert, choiceIn, type PressOutcome } from "../one-tap-answer";
import type { Buttons } from "./channel-interface";
import { openChannel } from "./credential-encryption";

/**
 * Maximum length of a request from Slack. The request repeats our message, which is a few KB long.
 */
const maxBytes = 64 * 1024;
/**
 * Maximum difference between a request's timestamp and our clock, in seconds. It limits how long an
 * eavesdropper could replay a request.
 */
const freshSeconds = 300;

/** The fields that we read from Slack's `block_actions`. */
const Press = z.object({
  type: z.literal("block_actions"),
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ id: z.string() }),
  container: z.object({ message_ts: z.string(), channel_id: z.string() }),
  actions: z.array(z.object({ action_id: z.string(), block_id: z.string(), value: z.string().optional() })).length(1),
});
type Press = z.output<typeof Press>;

/**
 * Checks a press on a button of one of our Slack messages. An answer counts only if it was offered
 * in a direct message to the member that the owner named. Slack waits only three seconds for a
 * reply, so the work follows the reply.
 * @returns the work to do after the reply; undefined for a request that is invalid, too long, too
 *   old, not signed by Slack, replayed, or for an unknown channel
 */
export async function handleSlackInteraction(request: Request): Promise<(() => Promise<void>) | undefined> {
  const timestamp = request.headers.get("x-slack-request-timestamp") ?? "";
  const signature = request.headers.get("x-slack-signature") ?? "";
  const body = await request.text();
  if (body.length > maxBytes || !isFresh(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined;
  const press = readPress(body);
  const id = press?.actions[0]?.block_id ?? "";
  const buttons = await buttonsOf(id);
  if (!press || !buttons?.signed({ timestamp, signature, body })) return undefined;
  return (await wasSeen(signature)) ? undefined : () => answerPress(press, id, buttons);
}

const isFresh = (timestamp: string) =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(clock.now() / 1000 - Number(timestamp)) <= freshSeconds;

function readPress(body: string): Press | undefined {
  try {
    return Press.safeParse(JSON.parse(new URLSearchParams(body).get("payload") ?? "")).data;
  } catch {
    return undefined;
  }
}

async function buttonsOf(id: string): Promise<Buttons | undefined> {
  if (!isId("chn", id)) return undefined;
  const row = await sql<{ owner_id: string; sealed: Uint8Array; key: StoredKey }>`
    SELECT s.owner_id, s.sealed, ${keyOf} AS key
    FROM alert_channel s
    WHERE s.id = ${id} AND s.kind = 'slack-bot'`.row();
  const channel = row && openChannel({ id, ownerId: row.owner_id, kind: "slack-bot" }, row);
  return channel && "buttons" in channel ? channel.buttons : undefined;
}

/**
 * Returns whether a press with this signature was seen before. The signature is stored until the
 * request is too old to be accepted. Slack never sends the same signature for two presses.
 */
const wasSeen = (signature: string): Promise<boolean> =>
  consumeAttempt("slack-press", signature, { max: 1, seconds: 2 * freshSeconds }, "Seen before").then(
    () => false,
    (error) => {
      if (asAppError(error)) return true;
      throw error;
    },
  );

async function answerPress({ actions, user, team, container }: Press, id: string, buttons: Buttons): Promise<void> {
  const [action] = actions;
  const choice = choiceIn(/^answer-([01])$/.exec(action?.action_id ?? "")?.[1]);
  const ticket = action?.value ?? "";
  const about = alertOf(ticket);
  if (choice === undefined || about?.target !== id || user.id !== buttons.member) return;
  const shown = await sql<{ receipt: string; link: string }>`
    SELECT d.receipt, '/approvals/' || al.tag AS link
    FROM alert_delivery d JOIN alert al ON al.id = d.alert_id
    WHERE d.alert_id = ${about.alertId}
      AND d.target_id = ${id}
      AND d.kind = 'show'
      AND d.receipt IS NOT NULL`.row();
  // The press must come from the message that carries this ticket.
  if (shown?.receipt !== [container.channel_id, container.message_ts, team?.id ?? ""].join(" ")) return;
  const outcome = await answerFromAlert(ticket, choice);
  if (outcome) return say(outcome, shown.receipt, { ...about, buttons });
  // A second press finds no row, because the first one set `pressed_at`.
  const untaken = await sql`
    SELECT FROM alert_delivery d
    WHERE d.alert_id = ${about.alertId}
      AND d.target_id = ${id}
      AND d.kind = 'show'
      AND d.pressed_at IS NULL`.row();
  const elsewhere = {
    title: "Open the question to answer",
    body: "You can no longer answer this question in Slack.",
    link: shown.link,
  };
  if (untaken) await say(elsewhere, shown.receipt, { ...about, buttons });
}

async function say(
  { title, body, link, leftMs }: PressOutcome,
  receipt: string,
  { alertId, target, buttons }: { alertId: string; target: string; buttons: Buttons },
): Promise<void> {
  // Sends the message again after the undo period. If the owner undid the answer, the message is
  // restored without answer buttons.
  if (leftMs !== undefined)
    await sql`
      UPDATE alert_delivery
      SET ended_at = NULL, outcome = NULL,
        due_at = now() + make_interval(secs => ${leftMs / 1000 + 2})
      WHERE alert_id = ${alertId} AND target_id = ${target} AND kind = 'show'`.run();
  const result = await buttons.say(receipt, { title, body, link: `${env().publicUrl}${link}` });
  if (result.how !== "sent") log.info("could not update a Slack message", { reason: result.problem });
}
