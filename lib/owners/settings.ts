import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/db";
import { record } from "@/lib/events/events";
import { announce } from "@/lib/events/hub";
import type { OwnerSettings } from "@/lib/generated/prisma/client";
import { validate } from "@/lib/validate";
import { Settings } from "./schema";

/** What holds for an owner who has chosen nothing. */
export const defaults: Settings = {
  undoSeconds: 0,
  alwaysConfirm: false,
  singleKeys: true,
  theme: "system",
  density: "comfortable",
  motion: "system",
  timeZone: "UTC",
  quiet: null,
  quietDays: [0, 1, 2, 3, 4, 5, 6],
  quietBreakthrough: true,
  lockScreen: "private",
  emailAlerts: true,
  emailAfterMinutes: 10,
  firstStepsDone: false,
};

export async function readSettings({ ownerId }: Pick<OwnerActor, "ownerId">): Promise<Settings> {
  const row = await db.ownerSettings.findUnique({ where: { ownerId } });
  return row ? asSettings(row) : defaults;
}

/**
 * Change what is named and leave the rest.
 * @throws {AppError} 400 naming what is out of its bounds
 */
export async function changeSettings({ ownerId }: OwnerActor, changes: Partial<Settings>): Promise<void> {
  const { quiet, firstStepsDone, ...plain } = validate(Settings.partial(), changes);
  const data = {
    ...plain,
    ...(quiet !== undefined && { quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null }),
    ...(firstStepsDone !== undefined && { firstStepsDoneAt: firstStepsDone ? new Date() : null }),
    updatedAt: new Date(),
  };
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  await db.$transaction(async (tx) => {
    await tx.ownerSettings.upsert({ where: { ownerId }, create: { ownerId, ...given }, update: given });
    await record(tx, {
      ...{ ownerId, type: "owner.settings_changed", subject: ownerId },
      data: { changed: Object.keys(changes).filter((name) => name in Settings.shape) },
    });
  });
  announce(ownerId);
}

const asSettings = ({ quietFrom, quietUntil, firstStepsDoneAt, ...row }: OwnerSettings): Settings =>
  Settings.parse({
    ...row,
    quiet: quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
    firstStepsDone: firstStepsDoneAt !== null,
  });
