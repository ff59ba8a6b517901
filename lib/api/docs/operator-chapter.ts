import { page } from "./page-definition";

export const operate = {
  title: "Operate",
  pages: [
    page(
      "operations",
      "Running Countersign",
      "Health check, your own database, several instances, proxies, retention and keys.",
    ),
    page("configuration", "Configuration", "Every setting with its default."),
    page("deploy", "Containers, Kubernetes, systemd", "Deploy with a Docker image, Compose, Helm or systemd.", {
      file: "docs/operations/deploy.md",
    }),
    page("try-hosted", "Try it on Render or Fly", "A trial on a hosting service, from the Dockerfile.", {
      file: "docs/operations/try-hosted.md",
    }),
    page("security-settings", "Security settings", "Settings to check before others can reach the service.", {
      file: "docs/operations/security.md",
    }),
    page("clusters", "Clusters", "Several instances behind HAProxy or nginx, with PgBouncer and Patroni.", {
      file: "docs/operations/clusters.md",
    }),
    page("shards", "Shards", "Several PostgreSQL servers, and moving owners between them.", {
      file: "docs/operations/shards.md",
    }),
    page("spqr", "SPQR", "A router in front of several PostgreSQL servers.", {
      file: "docs/operations/spqr.md",
    }),
    page("backup", "Backup and restore", "Dumps, point-in-time recovery and the embedded database.", {
      file: "docs/operations/backup.md",
    }),
    page("upgrades", "Upgrade and roll back", "Upgrade without downtime, and roll back to the previous version.", {
      file: "docs/operations/upgrades.md",
    }),
    page("reliability", "Reliability", "Guarantees during failures, and how the service is tested."),
    page("monitoring", "Monitoring", "Metrics, alert rules, a dashboard, traces and the log."),
    page("sizes", "Sizes", "When to add instances, memory or disk space.", {
      file: "docs/operations/sizes.md",
    }),
    page(
      "integrations",
      "Integrations",
      "Let owners link accounts from Google, Microsoft, GitHub and other providers.",
    ),
    page(
      "owners",
      "For owners",
      "How owners use the inbox, sign in, set up alerts, connect a phone and change settings.",
    ),
  ],
};
