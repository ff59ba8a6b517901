import { groups, type SettingsGroup, type SettingsRow } from "./setting-definitions";

type Anchor = { id: string; label: string };

/** A page of the settings. `words` are additional search terms for the command palette. */
type SettingsPage = {
  href: string;
  label: string;
  words: string;
  groups: readonly SettingsGroup[];
  /** The page's sections other than its groups of settings. */
  others: readonly Anchor[];
};

/** The settings pages, in display order. */
export const settingsPages: readonly SettingsPage[] = [
  {
    href: "/settings",
    label: "You",
    words: "profile account name email phone time zone",
    groups: [groups.you],
    others: [
      { id: "account", label: "Name and email" },
      { id: "this-browser", label: "Alerts in this browser" },
      { id: "phone", label: "Phone" },
    ],
  },
  {
    href: "/settings/security",
    label: "Security",
    words: "password passkeys recovery codes sessions devices",
    groups: [],
    others: [
      { id: "password", label: "Change password" },
      { id: "passkeys", label: "Passkeys" },
      { id: "recovery", label: "Recovery codes" },
      { id: "sessions", label: "Sessions" },
    ],
  },
  {
    href: "/settings/alerts",
    label: "Alerts",
    words:
      "lock screen email quiet hours push notifications do not disturb channels ntfy gotify telegram slack bot webhook",
    groups: [groups.alerts, groups.quiet],
    others: [
      { id: "browsers", label: "Alerts in your browsers" },
      { id: "channels", label: "Alerts in other apps" },
    ],
  },
  {
    href: "/settings/answering",
    label: "Answering",
    words: "undo always confirm single keys shortcuts keyboard",
    groups: [groups.answering],
    others: [],
  },
  {
    href: "/settings/look",
    label: "Look",
    words: "appearance display theme dark light density compact motion animation",
    groups: [groups.look],
    others: [],
  },
  {
    href: "/settings/data",
    label: "Data",
    words: "export download archive delete account retention",
    groups: [],
    others: [
      { id: "export", label: "Export my data" },
      { id: "delete", label: "Delete my account" },
    ],
  },
];

const rowsOf = ({ groups }: SettingsPage): readonly SettingsRow[] => groups.flatMap(({ rows }) => rows);

/** The individual settings that the command palette lists. */
export const findable: readonly { href: string; label: string }[] = settingsPages.flatMap((page) => [
  ...page.others.map(({ id, label }) => ({ href: `${page.href}#${id}`, label })),
  ...rowsOf(page).flatMap(({ setting, label, find = label }) =>
    find === false ? [] : [{ href: `${page.href}#${setting}`, label: find }],
  ),
]);
