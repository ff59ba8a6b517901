import { groups, type SettingsRow } from "./rows";

/** The sections of the Settings page in order, with search words for the palette. */
export const sections = [
  { id: "account", label: "Account and sessions", words: "profile devices phone passkeys recovery codes password" },
  {
    id: "alerts",
    label: "Alerts",
    words:
      "lock screen email quiet hours time zone push notifications do not disturb ntfy gotify telegram slack bot webhook",
  },
  { id: "answering", label: "Answering", words: "undo always confirm single keys shortcuts keyboard" },
  { id: "appearance", label: "Appearance", words: "theme dark light density compact motion animation" },
  { id: "data", label: "Your data", words: "export download delete account retention" },
] as const;

const rows: readonly SettingsRow[] = Object.values(groups).flatMap((group): readonly SettingsRow[] => group.rows);

/** Single settings that the palette lists. */
export const findable: readonly { id: string; label: string }[] = [
  { id: "phone", label: "On your phone" },
  { id: "passkeys", label: "Passkeys" },
  { id: "recovery", label: "Recovery codes" },
  { id: "password", label: "Change password" },
  { id: "channels", label: "Alert channels" },
  ...rows.flatMap(({ setting, label, find = label }) => (find === false ? [] : [{ id: setting, label: find }])),
  { id: "export", label: "Export my data" },
  { id: "delete", label: "Delete my account" },
];
