import type { Settings } from "@/lib/owners/schema";

type Words = {
  setting: keyof Settings;
  label: string;
  hint?: string;
  /** What the palette calls it; the label unless told. False where one would not look for it by name. */
  find?: string | false;
};

/** Values, by what each is called. */
export type Options = Readonly<Record<string, string>>;

/** One setting on the page: what it is called, and what it is chosen with. */
export type Row = Words &
  ({ by: "switch" | "minutes" | "hours" | "days" | "zone" } | { by: "choice"; options: Options });

export type SettingsGroup = { title: string; rows: readonly Row[] };

/** The switch for those whom single keys get in the way. It stands wherever keys are spoken of. */
export const singleKeys = {
  by: "switch",
  setting: "singleKeys",
  label: "Single-key shortcuts",
  hint: "Keys like 1, j and ? act at once. Switch them off if you use a screen reader or dictate. Keys with Ctrl or ⌘, Escape and arrows keep working.",
} as const satisfies Row;

/** All settings as the page shows them, and as the palette finds them. */
export const groups = {
  alerts: {
    title: "Alerts",
    rows: [
      {
        by: "choice",
        setting: "lockScreen",
        label: "On the lock screen",
        find: "Lock screen",
        hint: "What an alert shows where others may read it, in browsers, e-mails and channels.",
        options: { private: "Only who asks", full: "The question too" },
      },
      {
        by: "switch",
        setting: "answerFromAlerts",
        label: "Answer low-risk questions from alerts",
        hint: "Puts both answers on an alert that shows the whole question, in browsers and in a Slack bot’s message to you. Anyone who can reach that screen can answer.",
      },
      {
        by: "switch",
        setting: "emailAlerts",
        label: "E-mail me",
        find: "E-mail alerts",
        hint: "When a question has waited for a while.",
      },
      { by: "minutes", setting: "emailAfterMinutes", label: "E-mail after", find: false },
      {
        by: "switch",
        setting: "emailAnswers",
        label: "Answer from e-mail without signing in",
        find: false,
        hint: "Each link opens its question for 15 minutes: whoever reads your mail in that time can answer it. Never for high-risk questions, or those only you may answer.",
      },
    ],
  },
  quiet: {
    title: "Quiet hours",
    rows: [
      {
        by: "hours",
        setting: "quiet",
        label: "Quiet hours",
        hint: "Nothing alerts you in these hours. Questions and notifications still arrive and wait.",
      },
      {
        by: "days",
        setting: "quietDays",
        label: "On these days",
        find: "Days with quiet hours",
        hint: "The day on which the hours begin.",
      },
      {
        by: "switch",
        setting: "quietBreakthrough",
        label: "Urgent may break through",
        hint: "What an app marks urgent still alerts you.",
      },
      { by: "zone", setting: "timeZone", label: "Time zone", hint: "Used for quiet hours, snoozing and dates." },
    ],
  },
  answering: {
    title: "Answering",
    rows: [
      {
        by: "choice",
        setting: "undoSeconds",
        label: "Undo",
        hint: "How long an answer is held before the app can read it. Until then you can take it back.",
        options: { 0: "Off", 5: "5 s", 10: "10 s", 30: "30 s" },
      },
      {
        by: "switch",
        setting: "alwaysConfirm",
        label: "Always confirm",
        hint: "A key or click chooses, a second one sends.",
      },
      singleKeys,
    ],
  },
  appearance: {
    title: "Appearance",
    rows: [
      {
        by: "choice",
        setting: "theme",
        label: "Theme",
        options: { system: "As my system", light: "Light", dark: "Dark" },
      },
      {
        by: "choice",
        setting: "density",
        label: "Density",
        hint: "Compact shows more rows at once, each with one line of its question.",
        options: { comfortable: "Comfortable", compact: "Compact" },
      },
      {
        by: "choice",
        setting: "motion",
        label: "Motion",
        options: { system: "As my system", reduced: "Reduced" },
      },
    ],
  },
} as const satisfies Record<string, SettingsGroup>;
