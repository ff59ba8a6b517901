import type { SessionOwner } from "@/lib/actor";
import type { SettingChange, Settings, SettingsForms } from "./schema";
import { changeSettings, readSettings } from "./settings";

/** How a setting goes through a form: what a form sends as the setting has it, and the other way round. */
type Form<T> = {
  /** Whether what it makes of the values will do is decided where settings are changed. */
  read: (values: string[]) => unknown;
  write: (value: T) => string[];
};
const word: Form<string> = { read: ([value]) => value, write: (value) => [value] };
const whole: Form<number> = {
  read: ([value = ""]) => (/^\d{1,5}$/.test(value) ? Number(value) : value),
  write: (value) => [String(value)],
};
const flag: Form<boolean> = {
  read: ([value]) => (value === "on" ? true : value === "off" ? false : value),
  write: (value) => [value ? "on" : "off"],
};

const forms: { [Name in keyof Settings]: Form<Settings[Name]> } = {
  undoSeconds: whole,
  alwaysConfirm: flag,
  singleKeys: flag,
  theme: word,
  density: word,
  motion: word,
  timeZone: word,
  quiet: {
    read: ([from = "", until = ""]) => (from === "off" ? null : { from: minutes(from), until: minutes(until) }),
    write: (hours) => (hours ? [clock(hours.from), clock(hours.until)] : ["off"]),
  },
  quietDays: {
    read: (days) =>
      days
        .filter((day) => day !== "")
        .sort()
        .map((day) => whole.read([day])),
    write: (days) => days.map(String),
  },
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

/** Minutes after midnight as "22:30". */
const clock = (time: number) =>
  [Math.floor(time / 60), time % 60].map((part) => String(part).padStart(2, "0")).join(":");

const names = Object.keys(forms) as (keyof Settings)[];

/** All settings as their forms send them. */
export const asForms = (settings: Settings): SettingsForms =>
  Object.fromEntries(names.map((name) => [name, written(name, settings)])) as SettingsForms;

const written = <Name extends keyof Settings>(name: Name, settings: Settings) => forms[name].write(settings[name]);

/**
 * Change one setting as a form sends it. @returns all of them as they are now
 * @throws as changeSettings
 */
export async function changeSetting(owner: SessionOwner, { setting, value }: SettingChange): Promise<Settings> {
  await changeSettings(owner, { [setting]: forms[setting].read(value) });
  return readSettings(owner);
}
