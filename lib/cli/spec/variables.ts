/** Environment variables that commands read, with their purpose. */
export const variables = {
  COUNTERSIGN_TOKEN: "the app’s token; asking needs approvals:write and approvals:read",
  COUNTERSIGN_URL: "the service’s URL (default: PUBLIC_URL, or PORT on this computer)",
  COUNTERSIGN_ALLOW_SIMULATED: "1: accept answers from “simulate”, in tests (default: off)",
  DATA_DIR: "the folder of the embedded database and the generated secret (default: .data)",
  DATABASE_URL: "your own PostgreSQL (default: the embedded one)",
  DATABASE_DIRECT_URL: "the same database without a connection pooler (default: DATABASE_URL)",
  DATABASE_WAIT: "seconds to wait for an unreachable database (default: 30)",
  MIGRATE: "off: reject a database that is not up to date, instead of migrating it (default: on)",
  SECRET: "the service’s secret (default: the one kept in DATA_DIR)",
  INTEGRATION_KEYS: "the keys that encrypt stored secrets (default: derived from SECRET)",
  PORT: "the port the service listens on (default: 3000)",
  PUBLIC_URL: "the service’s public URL (default: http://localhost:PORT)",
  METRICS_PORT: "the port of the service’s metrics (default: off)",
  SMTP_URL: "the mail server to check (default: none)",
  ALLOW_PRIVATE_FETCH: "for development: origins that may be private and without TLS, like http://127.0.0.1:4000",
} as const;

export type VariableName = keyof typeof variables;

/**
 * Variables that locate and decrypt the service's database. Give commands the same values as the
 * service.
 */
export const database = [
  "DATA_DIR",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "MIGRATE",
  "SECRET",
  "INTEGRATION_KEYS",
] as const satisfies VariableName[];
