import type { OwnerActor, SessionOwner } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { change, changeByStatement } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import type { OwnerSettings } from "@/lib/generated/prisma/client";
import { validate } from "@/lib/text/validate";
import { requirePasskey } from "./passkeys/owner-keys";
import { Settings } from "./schema";
import { requireRecentSignIn } from "./sessions";

export const defaults: Settings = {
  get undoSeconds() {
    return env().undoSeconds;
  },
  alwaysConfirm: false,
  signAnswers: false,
  singleKeys: true,
  theme: "system",
  density: "comfortable",
  motion: "system",
  timeZone: "UTC",
  quiet: null,
  quietDays: [0, 1, 2, 3, 4, 5, 6],
  quietBreakthrough: true,
  lockScreen: "private",
  answerFromAlerts: false,
  emailAlerts: true,
  emailAfterMinutes: 10,
  emailAnswers: false,
  firstStepsDone: false,
};

/**
 * Reads the owner's settings. `zoneKnown` is whether the owner chose the time zone or a browser
 * reported it.
 */
export async function readSettings({
  ownerId,
}: Pick<OwnerActor, "ownerId">): Promise<Settings & { zoneKnown: boolean }> {
  const row = await db.ownerSettings.findUnique({ where: { ownerId } });
  return row ? { ...asSettings(row), zoneKnown: row.zoneKnown } : { ...defaults, zoneKnown: false };
}

/**
 * Saves the browser's time zone, if the account has none. Records no event, because the owner
 * didn't choose it.
 * @param timeZone an IANA name
 */
export async function takeTimeZone(owner: OwnerActor, timeZone: string): Promise<void> {
  await changeByStatement(
    owner,
    sql`
      INSERT INTO owner_settings (owner_id, time_zone, zone_known)
      VALUES (${owner.ownerId}, ${timeZone}, true)
      ON CONFLICT (owner_id) DO UPDATE SET time_zone = excluded.time_zone, zone_known = true
        WHERE NOT owner_settings.zone_known`,
  );
}

/**
 * For each setting that protects the owner, whether a change weakens the protection: less time to
 * undo, more that others can read or answer, or fewer or later alerts. Quiet hours don't count,
 * because alerts are sent when they end.
 */
const weaker: { [Name in keyof Settings]?: (was: Settings[Name], is: Settings[Name]) => boolean } = {
  undoSeconds: (was, is) => is < was,
  alwaysConfirm: (was, is) => was && !is,
  signAnswers: (was, is) => was && !is,
  lockScreen: (was, is) => was === "private" && is === "full",
  answerFromAlerts: (was, is) => !was && is,
  emailAlerts: (was, is) => was && !is,
  emailAfterMinutes: (was, is) => is > was,
  emailAnswers: (was, is) => !was && is,
  quietBreakthrough: (was, is) => was && !is,
};

const isWeaker = <Name extends keyof Settings>(name: Name, was: Settings, is: Partial<Settings>): boolean => {
  const now = is[name];
  return now !== undefined && (weaker[name]?.(was[name], now) ?? false);
};

/**
 * Updates the given settings, and keeps the others.
 * @throws {AppError} 400 naming the invalid setting; 403 (SignInAgain) if a change weakens a
 * protection without a recent sign-in; 409 if signing is turned on without a passkey
 */
export async function changeSettings(owner: SessionOwner, changes: Partial<Settings>): Promise<void> {
  const { ownerId } = owner;
  const wanted = validate(Settings.partial(), changes);
  const now = await readSettings(owner);
  if (Settings.keyof().options.some((name) => isWeaker(name, now, wanted))) requireRecentSignIn(owner);
  if (wanted.signAnswers && !now.signAnswers) await requirePasskey(owner);
  const { quiet, firstStepsDone, ...plain } = wanted;
  const data = {
    ...plain,
    ...(quiet !== undefined && { quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null }),
    ...(wanted.timeZone !== undefined && { zoneKnown: true }),
    ...(wanted.undoSeconds !== undefined && { undoKnown: true }),
    ...(firstStepsDone !== undefined && { firstStepsDoneAt: firstStepsDone ? new Date(clock.now()) : null }),
    updatedAt: new Date(clock.now()),
  };
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  await change(owner, async (tx) => {
    await tx.ownerSettings.upsert({ where: { ownerId }, create: { ownerId, ...given }, update: given });
    await record(tx, {
      ownerId,
      type: "owner.settings_changed",
      subject: ownerId,
      data: { changed: Object.keys(changes).filter((name) => name in Settings.shape) },
    });
  });
}

const asSettings = ({ undoKnown, quietFrom, quietUntil, firstStepsDoneAt, ...row }: OwnerSettings): Settings =>
  Settings.parse({
    ...row,
    ...(!undoKnown && row.undoSeconds === 0 && { undoSeconds: defaults.undoSeconds }),
    quiet: quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
    firstStepsDone: firstStepsDoneAt !== null,
  });
