/** Variables of the environment that commands read, and what each is for. */
export const variables = {
  COUNTERSIGN_TOKEN: "a token of the app: with approvals:write and approvals:read to ask",
  COUNTERSIGN_URL: "the service to speak to (default: PUBLIC_URL, or PORT on this computer)",
  COUNTERSIGN_ALLOW_SIMULATED: "1: accept answers of “simulate”, in tests (default: off)",
  DATA_DIR: "the folder of the embedded database and the generated secret (default: .data)",
  DATABASE_URL: "your own PostgreSQL (default: the embedded one)",
  DATABASE_DIRECT_URL: "the same database past a connection pooler (default: DATABASE_URL)",
  DATABASE_WAIT: "seconds to wait for a database that is away (default: 30)",
  MIGRATE: "off: refuse a database that is not up to date, instead of migrating it (default: on)",
  SECRET: "the service’s secret (default: the one kept in DATA_DIR)",
  INTEGRATION_KEYS: "what secrets are encrypted under (default: derived from SECRET)",
  PORT: "where the service listens (default: 3000)",
  PUBLIC_URL: "where people reach the service (default: http://localhost:PORT)",
  METRICS_PORT: "where the service’s metrics are read (default: off)",
  SMTP_URL: "the mail server that is looked at (default: none)",
  ALLOW_PRIVATE_FETCH: "for development: origins that may be private and without TLS, like http://127.0.0.1:4000",
} as const;

export type VariableName = keyof typeof variables;

/** What leads to the service's database, and opens it. Give commands the same as the service. */
export const database = [
  "DATA_DIR",
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "MIGRATE",
  "SECRET",
  "INTEGRATION_KEYS",
] as const satisfies VariableName[];
