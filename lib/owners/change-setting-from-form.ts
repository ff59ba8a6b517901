import type { SessionOwner } from "@/lib/actor";
import { type SettingChange, Settings, type SettingsForms } from "./schema";
import { changeSettings, defaults, readSettings } from "./settings";

/** The conversions between a setting's value and its form fields. */
type Form<T> = {
  /**
   * Converts the form's values to the setting's value, which is validated later, when the setting
   * is changed.
   */
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

/** Returns the settings as form values. */
export const asForms = (settings: Settings) =>
  Object.fromEntries(
    Settings.keyof().options.map((name) => [name, formOf(name).write(settings[name])]),
  ) as SettingsForms;

/**
 * Changes one setting from its form.
 * @returns all current settings
 * @throws the same errors as changeSettings
 */
export async function changeSetting(owner: SessionOwner, { setting, value }: SettingChange): Promise<Settings> {
  await changeSettings(owner, { [setting]: formOf(setting).read(value) });
  return readSettings(owner);
}
