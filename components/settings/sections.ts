/** The parts of the Settings page, in its order, with what the palette finds them by. */
export const sections = [
  { id: "account", label: "Account and sessions", words: "profile devices sign out passkeys recovery codes password" },
  {
    id: "alerts",
    label: "Alerts",
    words: "lock screen e-mail quiet hours time zone push notifications do not disturb",
  },
  { id: "answering", label: "Answering", words: "undo always confirm single keys shortcuts keyboard" },
  { id: "appearance", label: "Appearance", words: "theme dark light density compact motion animation" },
  { id: "data", label: "Your data", words: "export download delete account retention" },
] as const;

/** Single settings that one may look for by name. */
export const findable = [
  { id: "passkeys", label: "Passkeys" },
  { id: "recovery", label: "Recovery codes" },
  { id: "password", label: "Change password" },
  { id: "lockScreen", label: "Lock screen" },
  { id: "emailAlerts", label: "E-mail alerts" },
  { id: "quiet", label: "Quiet hours" },
  { id: "timeZone", label: "Time zone" },
  { id: "undoSeconds", label: "Undo" },
  { id: "alwaysConfirm", label: "Always confirm" },
  { id: "singleKeys", label: "Single-key shortcuts" },
  { id: "theme", label: "Theme" },
  { id: "density", label: "Density" },
  { id: "motion", label: "Motion" },
  { id: "export", label: "Export my data" },
  { id: "delete", label: "Delete my account" },
] as const;
