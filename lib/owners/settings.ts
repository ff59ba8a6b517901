import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/db";
import type { OwnerSettings } from "@/lib/generated/prisma/client";
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

/** Change what is named and leave the rest. */
export async function changeSettings({ ownerId }: OwnerActor, changes: Partial<Settings>): Promise<void> {
  const { quiet, firstStepsDone, ...plain } = Settings.partial().parse(changes);
  const data = {
    ...plain,
    ...(quiet !== undefined && { quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null }),
    ...(firstStepsDone !== undefined && { firstStepsDoneAt: firstStepsDone ? new Date() : null }),
    updatedAt: new Date(),
  };
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
  await db.ownerSettings.upsert({ where: { ownerId }, create: { ownerId, ...given }, update: given });
}

const asSettings = ({ quietFrom, quietUntil, firstStepsDoneAt, ...row }: OwnerSettings): Settings =>
  Settings.parse({
    ...row,
    quiet: quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
    firstStepsDone: firstStepsDoneAt !== null,
  });
