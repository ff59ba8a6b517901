/** The chapter for operators. */
export const operate = {
  title: "Operate",
  pages: [
    {
      id: "operations",
      title: "Running Countersign",
      about: "Health check, your own database, several instances, proxies, retention, keys.",
      file: "docs/operations.md",
    },
    {
      id: "configuration",
      title: "Configuration",
      about: "Every setting with its default.",
      file: "docs/configuration.md",
    },
    {
      id: "deploy",
      title: "Containers, Kubernetes, systemd",
      about: "Deploy with a Docker image, Compose, Helm or systemd.",
      file: "docs/operations/deploy.md",
    },
    {
      id: "security-settings",
      title: "Security settings",
      about: "Settings to check before others can reach the service.",
      file: "docs/operations/security.md",
    },
    {
      id: "clusters",
      title: "Clusters",
      about: "Several instances behind HAProxy or nginx, PgBouncer, Patroni.",
      file: "docs/operations/clusters.md",
    },
    {
      id: "backup",
      title: "Backup and restore",
      about: "Dumps, point-in-time recovery, the embedded database.",
      file: "docs/operations/backup.md",
    },
    {
      id: "upgrades",
      title: "Upgrade and roll back",
      about: "Upgrade without downtime, and roll back to the previous version.",
      file: "docs/operations/upgrades.md",
    },
    {
      id: "monitoring",
      title: "Monitoring",
      about: "Metrics, alert rules, a dashboard, traces and the log.",
      file: "docs/monitoring.md",
    },
    {
      id: "sizes",
      title: "Sizes",
      about: "When to add instances, memory or disk space.",
      file: "docs/operations/sizes.md",
    },
    {
      id: "integrations",
      title: "Integrations",
      about: "Let owners link accounts from Google, Microsoft, GitHub and others.",
      file: "docs/integrations.md",
    },
    {
      id: "owners",
      title: "For owners",
      about: "The inbox, alerts and their channels, the phone, sign-in and settings.",
      file: "docs/owners.md",
    },
  ],
};
