import type { OptionSpec, SectionSpec } from "./offer";
import { database, type VariableName } from "./variables";

const looksAt: readonly VariableName[] = [...database, "PORT", "PUBLIC_URL", "METRICS_PORT", "SMTP_URL"];
const yes: OptionSpec = { about: "do it; without this it only says what would be lost" };

export const running: SectionSpec = {
  title: "Run the service",
  nouns: {
    keys: "Keys that encrypt stored secrets",
    receipts: "The key that signs receipts",
    secret: "The secret that other keys derive from",
  },
  commands: {
    doctor: {
      about: "Look for problems, and say what to do.",
      more: "Looks at settings, disk, database, secret, backlogs, mail and the running service. Makes nothing that is missing.",
      reads: looksAt,
      statuses: { 0: "no problem", 1: "a problem was found" },
      example: "doctor",
      load: async () => (await import("../doctor/doctor")).doctorCommand,
    },
    status: {
      about: "Print what doctor looks at as numbers, with the metrics where METRICS_PORT is set.",
      reads: looksAt,
      statuses: { 1: "something could not be looked at; stderr says what" },
      example: "status --json",
      load: async () => (await import("../doctor/doctor")).statusCommand,
    },
    migrate: {
      about: "Bring the database up to date.",
      more: "A step of its own before copies with MIGRATE=off start. It migrates whatever MIGRATE says.",
      reads: ["DATA_DIR", "DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_WAIT"],
      example: "migrate",
      load: async () => (await import("../migrate")).migrateCommand,
    },
    "keys new": {
      about: "Print a new entry for INTEGRATION_KEYS.",
      reads: ["INTEGRATION_KEYS"],
      example: "keys new",
      load: async () => (await import("../keys")).newKeyCommand,
    },
    "keys rotate": {
      about: "Encrypt everything anew under the first of INTEGRATION_KEYS, while the service runs.",
      reads: database,
      example: "keys rotate",
      load: async () => (await import("../keys")).rotateKeysCommand,
    },
    "keys forget": {
      about: "Count what no key opens any more, and with --yes destroy it and tell its owners.",
      options: { yes },
      reads: database,
      statuses: { 0: "done, or nothing to forget", 1: "not confirmed with --yes, or could not be done" },
      example: "keys forget",
      load: async () => (await import("../keys")).forgetKeysCommand,
    },
    "receipts rotate": {
      about: "Sign receipts with a new key. Earlier receipts stay valid.",
      reads: database,
      example: "receipts rotate",
      load: async () => (await import("../receipts")).rotateReceiptsCommand,
    },
    "secret replace": {
      about: "Accept another SECRET: with --yes, every session, token and code ends.",
      more: "Owners then sign in again with their passwords or passkeys. Rotate keys of your own first.",
      options: { yes },
      reads: database,
      statuses: { 0: "replaced, or in use already", 1: "not confirmed with --yes, or could not be done" },
      example: "secret replace --yes",
      load: async () => (await import("../secret")).replaceSecretCommand,
    },
  },
};
