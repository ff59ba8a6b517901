import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { db } from "@/lib/database/db";
import { type Sql, sql } from "@/lib/database/sql";
import { badRequest } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { settingsOf } from "@/lib/owners/owner-sql-for-other-domains";
import { lensUrl } from "@/lib/owners/passkeys/answer-origins";
import { requirePasskey } from "@/lib/owners/passkeys/owner-keys";
import { requireRecentSignIn } from "@/lib/owners/sessions";
import { readSettings } from "@/lib/owners/settings";
import { AppPreferences } from "./schema";

/** Defaults for an app without preferences. */
export const defaultAppPreferences: AppPreferences = {
  questionsMuted: false,
  notificationsMuted: false,
  mutedTypes: [],
  alwaysConfirm: false,
  signAnswers: false,
  signInLens: false,
  lockScreen: null,
};

/** Returns the owner's preferences for this app, or the defaults. */
export async function readAppPreferences(
  { ownerId }: Pick<OwnerActor, "ownerId">,
  appId: string,
): Promise<AppPreferences> {
  const row = await db.appPreferences.findUnique({ where: { ownerId_appId: { ownerId, appId } } });
  return row ? AppPreferences.parse(row) : defaultAppPreferences;
}

/**
 * SQL: the owner's preferences for an app, as a row to join LATERAL. There is no row if nothing was
 * set.
 */
export const appPreferencesOf = (ownerId: Sql, appId: Sql): Sql =>
  sql`(
    SELECT questions_muted, notifications_muted, muted_types, always_confirm, lock_screen
    FROM app_preferences
    WHERE owner_id = ${ownerId} AND app_id = ${appId}
  )`;

/**
 * SQL: how much an alert about an app shows. The app's preference overrides the owner's general
 * setting, and `private` is the default.
 */
export const lockScreen = (ownerId: Sql, appId: Sql): Sql =>
  sql`coalesce(
    (SELECT lock_screen FROM ${appPreferencesOf(ownerId, appId)} AS choice),
    (SELECT lock_screen FROM ${settingsOf(ownerId)} AS settings),
    'private'
  )`;

/** SQL: whether the owner muted any app's notifications or any notification type. */
export const mutesNotifications = (ownerId: string): Sql =>
  sql`EXISTS (
    SELECT FROM app_preferences
    WHERE owner_id = ${ownerId} AND (notifications_muted OR muted_types <> '{}')
  )`;

/** Returns the owner's stored preferences by app ID. */
export async function readAppChoices({ ownerId }: Pick<OwnerActor, "ownerId">): Promise<Map<string, AppPreferences>> {
  const rows = await db.appPreferences.findMany({ where: { ownerId } });
  return new Map(rows.map((row) => [row.appId, AppPreferences.parse(row)]));
}

/**
 * Updates the given preferences for an app and keeps the others. Needs no grant, because
 * preferences outlive it.
 * @throws {AppError} 403 (SignInAgain) if the change would drop the confirmation or signature of
 *   answers or let alerts reveal more, and the owner has not signed in recently; 409 if signing is
 *   turned on without a passkey; 400 if it requires a lens and the operator has none
 */
export async function updateAppPreferences(
  owner: SessionOwner,
  appId: string,
  choice: Partial<AppPreferences>,
): Promise<void> {
  const { ownerId } = owner;
  const wanted = AppPreferences.partial().parse(choice);
  const was = await readAppPreferences(owner, appId);
  if (await isWeaker(owner, was, wanted)) requireRecentSignIn(owner);
  if ((wanted.signAnswers && !was.signAnswers) || (wanted.signInLens && !was.signInLens)) await requirePasskey(owner);
  if (wanted.signInLens && !lensUrl())
    throw badRequest("This service has no lens. Ask its operator to set LENS_ORIGINS", "signInLens");
  const given = { ...wanted, updatedAt: new Date(clock.now()) };
  const data = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const where = { ownerId_appId: { ownerId, appId } };
  const create = { ownerId, appId, ...data };
  await change(owner, (tx) => tx.appPreferences.upsert({ where, create, update: data }));
}

/** Mutes an app's questions in the given transaction. */
export const muteQuestions = (tx: Change, ownerId: string, appId: string) =>
  sql`
    INSERT INTO app_preferences (owner_id, app_id, questions_muted)
    VALUES (${ownerId}, ${appId}, true)
    ON CONFLICT (owner_id, app_id) DO UPDATE SET
      questions_muted = true, updated_at = now()`.run(tx);

/**
 * Returns whether the new preferences protect less than the old ones. `changeSettings` applies the
 * same rule to general settings.
 */
async function isWeaker(
  owner: OwnerActor,
  was: AppPreferences,
  { alwaysConfirm, signAnswers, signInLens, lockScreen }: Partial<AppPreferences>,
) {
  if (was.alwaysConfirm && alwaysConfirm === false) return true;
  if ((was.signAnswers && signAnswers === false) || (was.signInLens && signInLens === false)) return true;
  if (lockScreen === undefined || lockScreen === was.lockScreen) return false;
  const { lockScreen: forAll } = await readSettings(owner);
  return (was.lockScreen ?? forAll) === "private" && (lockScreen ?? forAll) === "full";
}
