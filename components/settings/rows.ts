import type { Settings } from "@/lib/owners/schema";

type Words = {
  setting: keyof Settings;
  label: string;
  hint?: string;
  /**
   * The palette's name for the setting; the label by default. False to leave it out of the palette.
   */
  find?: string | false;
};

/** Values by label. */
export type Options = Readonly<Record<string, string>>;

/** One setting on the page: its label, help text and control. */
export type SettingsRow = Words &
  ({ control: "switch" | "minutes" | "hours" | "days" | "zone" } | { control: "choice"; options: Options });

export type SettingsGroup = { title: string; rows: readonly SettingsRow[] };

/** The switch that turns off single-key shortcuts. It appears wherever shortcuts are listed. */
export const singleKeys = {
  control: "switch",
  setting: "singleKeys",
  label: "Single-key shortcuts",
  hint: "Use keys like 1, j and ? without a modifier. Turn this off if you use a screen reader or dictation. Ctrl or ⌘ shortcuts, Escape and arrows keep working.",
} as const satisfies SettingsRow;

/** All settings, for the page and the palette. */
export const groups = {
  alerts: {
    title: "Alerts",
    rows: [
      {
        control: "choice",
        setting: "lockScreen",
        label: "On the lock screen",
        find: "Lock screen",
        hint: "How much an alert reveals on a lock screen, in email and in channels.",
        options: { private: "App name only", full: "App name and question" },
      },
      {
        control: "switch",
        setting: "answerFromAlerts",
        label: "Answer low-risk questions from alerts",
        hint: "Adds both answers as buttons to alerts that show the whole question, in browsers and in messages from a Slack bot. Anyone with access to the screen can answer.",
      },
      {
        control: "switch",
        setting: "emailAlerts",
        label: "Email me",
        find: "Email alerts",
        hint: "Get an email when a question has been waiting.",
      },
      { control: "minutes", setting: "emailAfterMinutes", label: "Email after", find: false },
      {
        control: "switch",
        setting: "emailAnswers",
        label: "Answer from email without signing in",
        find: false,
        hint: "Each link opens its question for 15 minutes. Anyone who reads your email in that time can answer. Not available for high-risk questions and those only you can answer.",
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
        hint: "No alerts during these hours. Questions and notifications still arrive.",
      },
      {
        control: "days",
        setting: "quietDays",
        label: "Days",
        find: "Days with quiet hours",
        hint: "The days on which quiet hours begin.",
      },
      {
        control: "switch",
        setting: "quietBreakthrough",
        label: "Let urgent alerts through",
        hint: "Requests that an app marks urgent still alert you.",
      },
      { control: "zone", setting: "timeZone", label: "Time zone", hint: "Used for quiet hours, snoozing and dates." },
    ],
  },
  answering: {
    title: "Answering",
    rows: [
      {
        control: "choice",
        setting: "undoSeconds",
        label: "Undo",
        hint: "How long you can undo an answer before the app can read it.",
        options: { 0: "Off", 5: "5 s", 10: "10 s", 30: "30 s" },
      },
      {
        control: "switch",
        setting: "alwaysConfirm",
        label: "Always confirm",
        hint: "The first key press or click selects an answer, and the second sends it.",
      },
      singleKeys,
    ],
  },
  appearance: {
    title: "Appearance",
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
        hint: "Compact shows more rows, with one line per question.",
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
