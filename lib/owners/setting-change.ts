import type { OwnerActor } from "@/lib/actor";
import type { SettingChange, Settings } from "./schema";
import { changeSettings, readSettings } from "./settings";

type Read = (values: string[]) => unknown;
const word: Read = ([value]) => value;
const whole: Read = ([value = ""]) => (/^\d{1,5}$/.test(value) ? Number(value) : value);
const flag: Read = ([value]) => (value === "on" ? true : value === "off" ? false : value);

/** What a form sends, as the setting has it; whether that will do is decided where settings are changed. */
const readers: Record<keyof Settings, Read> = {
  undoSeconds: whole,
  alwaysConfirm: flag,
  singleKeys: flag,
  theme: word,
  density: word,
  motion: word,
  timeZone: word,
  quiet: ([from = "", until = ""]) => (from === "off" ? null : { from: minutes(from), until: minutes(until) }),
  quietDays: (days) =>
    days
      .filter((day) => day !== "")
      .sort()
      .map((day) => whole([day])),
  quietBreakthrough: flag,
  lockScreen: word,
  emailAlerts: flag,
  emailAfterMinutes: whole,
  firstStepsDone: flag,
};

/** "22:30" in minutes after midnight. */
function minutes(time: string): number | string {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  return hour === undefined || Number(minute) > 59 ? time : Number(hour) * 60 + Number(minute);
}

/**
 * Change one setting as a form sends it. @returns all of them as they are now
 * @throws {AppError} 400 saying what will not do
 */
export async function changeSetting(owner: OwnerActor, { setting, value }: SettingChange): Promise<Settings> {
  await changeSettings(owner, { [setting]: readers[setting](value) });
  return readSettings(owner);
}
