import type { OwnerActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { AlreadyResolved, asAppError, badRequest, notFound } from "@/lib/errors";
import { resolveApproval } from "./approvals";
import { holdAnswer } from "./held";
import type { Held } from "./owned";
import type { Answer, ApprovalOption, Resolution } from "./schema";

/**
 * What became of an owner's answer: it is being held, or it is decided. Where somebody was quicker nothing changed and `won`
 * is false; `resolution` is what holds either way.
 */
export type Answered =
  | { held: Held; won?: undefined; resolution?: undefined }
  | { held?: undefined; won: boolean; resolution: Resolution };

/**
 * The owner answers: at once, or held for as long as they chose in their settings.
 * @param seen the hash of the question as they saw it
 * @throws {AppError} 404, 400 for an option that was not offered, 409 after the deadline or for a question that changed
 */
export const answerApproval = async (owner: OwnerActor, id: string, answer: Answer, seen: string): Promise<Answered> =>
  give(owner, { id, seen }, answer, await undoSeconds(owner));

/** A question, and the hash of what of it the owner saw. */
export type SeenQuestion = { id: string; seen: string };

/** Most questions that one answer can be given to at once. */
export const mostTogether = 100;

/**
 * The owner gives one answer to several questions of one app that offer the same options. Each is answered by itself: one
 * that fails, changed, or was answered by somebody else, leaves the others as they are. In the order of `several`.
 * @throws {AppError} 404 for an approval that is not the owner's, 400 where they are not alike
 */
export async function answerTogether(
  owner: OwnerActor,
  several: SeenQuestion[],
  answer: Answer,
): Promise<({ id: string } & (Answered | { message: string }))[]> {
  const asked = new Map(several.map((it) => [it.id, it]));
  const wanted = [...asked.keys()];
  if (wanted.length > mostTogether) throw badRequest(`At most ${mostTogether} at a time`, "ids");
  const { rows } = await pool().query<{ app_id: string; options: ApprovalOption[] }>({
    name: "answer-together",
    text: "SELECT app_id, options FROM approval WHERE owner_id = $1 AND id = ANY ($2)",
    values: [owner.ownerId, wanted],
  });
  if (rows.length < wanted.length) throw notFound();
  if (new Set(rows.map(({ app_id, options }) => `${app_id} ${choicesOf(options)}`)).size > 1)
    throw badRequest("Only questions of one app with the same options can be answered together", "ids");
  const seconds = await undoSeconds(owner);
  const outcomes = [];
  for (const [id, it] of asked) {
    const outcome = await give(owner, it, answer, seconds).catch((error) => {
      const known = asAppError(error);
      if (!known) throw error;
      return { message: known.details?.[0]?.message ?? known.message };
    });
    outcomes.push({ id, ...outcome });
  }
  return outcomes;
}

/** Questions that offer the same ids under the same labels in the same order may be answered together. */
const choicesOf = (options: ApprovalOption[]) => JSON.stringify(options.map(({ id, label }) => [id, label]));

/** Whether the owner wants to choose first and send in a second step: always, or what the app of this approval asks. */
export async function mustConfirm({ ownerId }: OwnerActor, id: string): Promise<boolean> {
  const { rows } = await pool().query<{ confirms: boolean }>({
    name: "must-confirm",
    text: `SELECT coalesce(s.always_confirm, false) OR coalesce(ch.always_confirm, false) AS confirms FROM approval a
      LEFT JOIN owner_settings s ON s.owner_id = a.owner_id
      LEFT JOIN app_choice ch ON ch.owner_id = a.owner_id AND ch.app_id = a.app_id
      WHERE a.owner_id = $1 AND a.id = $2`,
    values: [ownerId, id],
  });
  return rows[0]?.confirms ?? false;
}

async function give(owner: OwnerActor, { id, seen }: SeenQuestion, answer: Answer, seconds: number): Promise<Answered> {
  if (seconds > 0) {
    const held = await holdAnswer(owner, id, answer, seconds, seen);
    if (held) return { held };
  }
  const won = await resolveApproval(owner, id, answer, { contentHash: seen }).then(
    () => true,
    (error) => {
      if (error instanceof AlreadyResolved) return false;
      throw error;
    },
  );
  return { won, resolution: await readResolution(owner, id) };
}

/** The one setting that an answer needs, read without what else belongs to it: every answer waits for this. */
async function undoSeconds({ ownerId }: OwnerActor): Promise<number> {
  const { rows } = await pool().query<{ seconds: number }>({
    name: "undo-seconds",
    text: "SELECT undo_seconds AS seconds FROM owner_settings WHERE owner_id = $1",
    values: [ownerId],
  });
  return rows[0]?.seconds ?? 0;
}

async function readResolution({ ownerId }: OwnerActor, id: string): Promise<Resolution> {
  const { rows } = await pool().query<{ resolution: Resolution | null }>({
    name: "read-resolution",
    text: "SELECT resolution FROM approval WHERE owner_id = $1 AND id = $2",
    values: [ownerId, id],
  });
  if (!rows[0]?.resolution) throw notFound();
  return rows[0].resolution;
}
