import type { SessionOwner } from "@/lib/actor";
import { type SettingChange, Settings, type SettingsForms } from "./schema";
import { changeSettings, defaults, readSettings } from "./settings";

/** Converts a setting between its value and its format in the form. */
type Form<T> = {
  /** The result is validated where settings are changed. */
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

const ownForms: { [Name in keyof Settings]?: Form<Settings[Name]> } = {
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
};
const formsByType: Record<string, Form<never>> = { string: word, number: whole, boolean: flag };
const formOf = (name: keyof Settings) => (ownForms[name] ?? formsByType[typeof defaults[name]]) as Form<unknown>;

/** Converts "22:30" to minutes after midnight. */
function minutes(time: string): number | string {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  return hour === undefined || Number(minute) > 59 ? time : Number(hour) * 60 + Number(minute);
}

/** Converts minutes after midnight to "22:30". */
const clock = (time: number) =>
  [Math.floor(time / 60), time % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** The settings in their form format. */
export const asForms = (settings: Settings) =>
  Object.fromEntries(
    Settings.keyof().options.map((name) => [name, formOf(name).write(settings[name])]),
  ) as SettingsForms;

/**
 * Changes one setting from its form. @returns all current settings
 * @throws as changeSettings
 */
export async function changeSetting(owner: SessionOwner, { setting, value }: SettingChange): Promise<Settings> {
  await changeSettings(owner, { [setting]: formOf(setting).read(value) });
  return readSettings(owner);
}
