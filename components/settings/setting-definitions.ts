import type { Settings } from "@/lib/owners/schema";

type Words = {
  setting: keyof Settings;
  label: string;
  hint?: string;
  /**
   * The setting's name in the palette, by default its label. If false, the palette omits the
   * setting.
   */
  find?: string | false;
};

/** A choice's options: labels, keyed by value. */
export type Options = Readonly<Record<string, string>>;

/** One setting on the page: its label, help text and control. */
export type SettingsRow = Words &
  ({ control: "switch" | "minutes" | "hours" | "days" | "zone" } | { control: "choice"; options: Options });

export type SettingsGroup = { title: string; rows: readonly SettingsRow[] };

/** The setting for single-key shortcuts, shown wherever shortcuts are listed. */
export const singleKeys = {
  control: "switch",
  setting: "singleKeys",
  label: "Single-key shortcuts",
  hint: "Keys like 1, j and ? work without Ctrl or ⌘. Turn shortcuts off if you use dictation or a screen reader.",
} as const satisfies SettingsRow;

/** The groups of settings that the settings pages and the palette list. */
export const groups = {
  you: {
    title: "Time",
    rows: [
      {
        control: "zone",
        setting: "timeZone",
        label: "Time zone",
        hint: "Quiet hours, emails, dates and times use this time zone.",
      },
    ],
  },
  alerts: {
    title: "Alerts",
    rows: [
      {
        control: "choice",
        setting: "lockScreen",
        label: "Alert text",
        find: "Alert text (lock screen)",
        options: { private: "App name only", full: "App name and text" },
      },
      {
        control: "switch",
        setting: "answerFromAlerts",
        label: "Answer low-risk questions from alerts",
        hint: "The alert text must be “App name and text”. Anyone with access to the screen can answer.",
      },
      {
        control: "switch",
        setting: "emailAlerts",
        label: "Email alerts",
      },
      {
        control: "minutes",
        setting: "emailAfterMinutes",
        label: "Email alert delay",
        hint: "Choose how long a question waits before you get an email.",
      },
      {
        control: "switch",
        setting: "emailAnswers",
        label: "Answer from email without signing in",
        // With the full label, the palette would also find this setting in a search for “sign out”.
        find: "Answer from email",
        hint: "For 15 minutes, anyone who reads the email can answer. High-risk and owner-only questions are excluded.",
      },
    ],
  },
  quiet: {
    title: "Quiet hours",
    rows: [
      {
        control: "hours",
        setting: "quiet",
        label: "Quiet hours",
        hint: "Alerts wait until quiet hours end. You can allow alerts for urgent notifications.",
      },
      { control: "days", setting: "quietDays", label: "Days when quiet hours start", find: "Days with quiet hours" },
      {
        control: "switch",
        setting: "quietBreakthrough",
        label: "Allow alerts for urgent notifications",
      },
    ],
  },
  answering: {
    title: "Answering",
    rows: [
      {
        control: "choice",
        setting: "undoSeconds",
        label: "Time to undo an answer",
        options: { 0: "Off", 5: "5 s", 10: "10 s", 30: "30 s" },
      },
      {
        control: "switch",
        setting: "alwaysConfirm",
        label: "Ask me to confirm every answer",
        hint: "Every answer needs a second press. You can’t answer from alerts or emails.",
      },
      {
        control: "switch",
        setting: "signAnswers",
        label: "Sign every answer with your passkey",
        hint: "Programs can then verify your answers without trust in this service. Requires a passkey.",
      },
      singleKeys,
    ],
  },
  look: {
    title: "Look",
    rows: [
      {
        control: "choice",
        setting: "theme",
        label: "Theme",
        options: { system: "Same as system", light: "Light", dark: "Dark" },
      },
      {
        control: "choice",
        setting: "density",
        label: "Density",
        options: { comfortable: "Comfortable", compact: "Compact" },
      },
      {
        control: "choice",
        setting: "motion",
        label: "Motion",
        options: { system: "Same as system", reduced: "Reduced" },
      },
    ],
  },
} as const satisfies Record<string, SettingsGroup>;
