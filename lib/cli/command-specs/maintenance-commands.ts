import type { OptionSpec, SectionSpec } from "./command-spec";

const yes: OptionSpec = { about: "confirm the command (without --yes, the command only describes its effects)" };

export const maintenance: SectionSpec = {
  title: "Run the service",
  nouns: {
    keys: "Keys that encrypt stored secrets or sign receipts",
    receipts: "The key that signs receipts",
    secret: "The secret from which other keys are derived",
    shards: "PostgreSQL databases that store the owners of some homes",
  },
  commands: {
    doctor: {
      about: "Find problems and suggest fixes.",
      more: "The command checks the settings, disk, database, secret, backlogs, mail and running service. The command changes nothing.",
      statuses: { 0: "no problems found", 1: "problems found" },
      example: "doctor",
      load: async () => (await import("../doctor/doctor")).doctorCommand,
    },
    migrate: {
      about: "Apply pending migrations to the database.",
      more: "Run this command before you start instances with MIGRATE=off. The value of MIGRATE has no effect on this command.",
      example: "migrate",
      load: async () => (await import("../migrate-command")).migrateCommand,
    },
    "keys new": {
      about: "Print a new entry for INTEGRATION_KEYS.",
      example: "keys new",
      load: async () => (await import("../encryption-key-commands")).newKeyCommand,
    },
    "keys rotate": {
      about:
        "Re-encrypt all stored secrets with the first key in INTEGRATION_KEYS. The service can run at the same time.",
      example: "keys rotate",
      load: async () => (await import("../encryption-key-commands")).rotateKeysCommand,
    },
    "keys forget": {
      about:
        "Count the stored secrets that no key can decrypt. With --yes, destroy these secrets and notify the owners.",
      options: { yes },
      statuses: {
        0: "the secrets were destroyed, or every secret can be decrypted",
        1: "the command failed, or --yes is required but missing",
      },
      example: "keys forget",
      load: async () => (await import("../encryption-key-commands")).forgetKeysCommand,
    },
    "keys revoke": {
      about: "Revoke a receipt key that others may have.",
      more: "Verifiers then reject all receipts signed with the key. If the key is the current one, a new key replaces it. Apps and owners can get each receipt again. To set an earlier time, repeat the command. The key's ID is `kid` at /.well-known/jwks.json. If the ID begins with a dash, write it last, after --.",
      words: { kid: { about: "the key's ID" } },
      options: {
        since: {
          about:
            "the earliest time at which others may have had the key, like 2026-11-27T09:30:00Z, or in epoch seconds",
          value: "time",
          needed: true,
        },
      },
      example: "keys revoke NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs --since 2026-11-27T09:30:00Z",
      load: async () => (await import("../receipt-key-command")).revokeReceiptKeyCommand,
    },
    "receipts rotate": {
      about: "Create a new key that signs later receipts. Earlier receipts stay valid.",
      example: "receipts rotate",
      load: async () => (await import("../receipt-key-command")).rotateReceiptsCommand,
    },
    "secret rotate": {
      about: "Encrypt everything under SECRET that SECRET_PREVIOUS still protects. Nothing becomes invalid.",
      more: "Run this command after every instance has the new SECRET, and has the former secret as SECRET_PREVIOUS. The service can run at the same time. You can repeat the command.",
      example: "secret rotate",
      load: async () => (await import("../secret-command")).rotateSecretCommand,
    },
    "secret replace": {
      about:
        "Switch to the new SECRET in the settings. With --yes, the command invalidates every session, token, client secret and recovery code.",
      more: 'If the former secret is known and did not leak, use "secret rotate" instead, which invalidates nothing. Before you change SECRET, set INTEGRATION_KEYS and run "keys rotate", so that stored secrets stay readable. Afterward, owners must sign in again with their passwords or passkeys.',
      options: { yes },
      statuses: {
        0: "the secret was replaced, or was already in use",
        1: "the command failed, or --yes is required but missing",
      },
      example: "secret replace --yes",
      load: async () => (await import("../secret-command")).replaceSecretCommand,
    },
    "shards status": {
      about: "Show the shards, their homes, unfinished moves, and the placement that each process uses.",
      example: "shards status",
      load: async () => (await import("../shards/shards-status-command")).shardsStatusCommand,
    },
    "shards add": {
      about: "Prepare an empty PostgreSQL database as a shard.",
      more: "First add the shard to SHARDS on every instance. The command applies migrations, copies the service's tables, and moves no owners. If the command fails, fix the problem and run the command again. After a change of the directory's address or password, the command updates an added shard.",
      words: { name: { about: "the shard's name in SHARDS" } },
      example: "shards add two",
      load: async () => (await import("../shards/add-shard-command")).addShardCommand,
    },
    "shards remove": {
      about: "Remove a shard that stores no homes, or detach a lost one.",
      more: 'For an available shard, move its homes to another shard first. With --lost, the command frees the write-ahead log that the directory keeps for a shard whose server is lost. If the shard stores homes, it keeps them. Requests of its owners then fail until you restore its database and run "shards add".',
      words: { name: { about: "the shard's name in SHARDS" } },
      options: { lost: { about: "the shard's server is lost" } },
      example: "shards remove two --lost",
      load: async () => (await import("../shards/remove-shard-command")).removeShardCommand,
    },
    "shards move": {
      about: "Move homes with all their owners to another shard while the service runs.",
      more: "The requests of these owners wait for less than a second. If the command stops, run the same command again to continue. Write several homes as one argument, like 17,18,40-50.",
      words: { homes: { about: "homes from 0 to 1023, like 512-1023" } },
      options: {
        to: { about: "the name of the new shard", value: "name", needed: true },
        "homes-per-round": { about: "the number of homes that move at the same time", value: "number", default: "64" },
        abort: { about: "abort an unfinished move whose homes have not been switched yet" },
      },
      example: "shards move 512-1023 --to two",
      load: async () => (await import("../shards/move-homes-command")).moveHomesCommand,
    },
  },
};
