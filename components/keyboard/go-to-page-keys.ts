/** The pages that "g" followed by another key opens. */
export const pages = [
  { key: "a", href: "/approvals", label: "Approvals" },
  { key: "n", href: "/notifications", label: "Notifications" },
  { key: "i", href: "/integrations", label: "Integrations" },
  { key: "c", href: "/apps", label: "Apps" },
  { key: "l", href: "/activity", label: "Activity" },
  { key: "s", href: "/settings", label: "Settings" },
  { key: "d", href: "/developer", label: "Developer" },
] as const;
