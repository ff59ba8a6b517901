/** Where "g" and a second key lead. */
export const pages = [
  { key: "a", href: "/approvals", label: "Approvals", words: "inbox questions waiting" },
  { key: "n", href: "/notifications", label: "Notifications", words: "feed messages" },
  { key: "i", href: "/integrations", label: "Integrations", words: "linked accounts" },
  { key: "c", href: "/apps", label: "Connected apps", words: "permissions grants revoke" },
  { key: "l", href: "/activity", label: "Activity", words: "log audit history" },
  { key: "s", href: "/settings", label: "Settings", words: "preferences account" },
  { key: "d", href: "/developer", label: "Developer", words: "register app tokens api" },
] as const;
