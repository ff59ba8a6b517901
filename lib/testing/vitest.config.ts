import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import "../cli/v8-flags.mjs";

// Tests run longer than commands, so optimizing more code saves them time.
setFlagsFromString("--interrupt-budget=400000");

const root = join(import.meta.dirname, "../..");
const everything = ["lib", "app", "components"];
const database = everything.map((folder) => `${folder}/**/*.db.test.{ts,tsx}`);
const engines = [
  "lib/alerts/*.db.test.ts",
  "lib/api/{database-outage-waits,wait,answers-returned-once}*.db.test.ts",
  "lib/events/pubsub.db.test.ts",
  "lib/event-feed/stream.db.test.ts",
  "lib/postgres/migrations.db.test.ts",
  "lib/webhooks/delivery-queue.db.test.ts",
];
const afresh = "lib/testing/test-file-setup.ts";
const onPostgres = {
  globalSetup: "lib/testing/global-setup.ts",
  setupFiles: [afresh, "lib/testing/database-per-test-file.ts"],
};
/**
 * Files that must also pass with batched statements. `npm run test:more` checks these few, and
 * `npm run test:more -- --whole` checks many more.
 */
const together = process.env.TEST_TOGETHER
  ? [
      "lib/{requests,approvals,notifications}/**/*.db.test.ts",
      "lib/api/*.db.test.ts",
      "lib/database/retry-conflict.db.test.ts",
    ]
  : ["lib/approvals/{approvals,answer}.db.test.ts"];
/** Files that `npm run test:shards` repeats only with `--whole`. Others cover the most used statements. */
const rarelyOnShards =
  process.env.TEST_WHOLE !== ""
    ? []
    : [
        "lib/{activity,alerts,http,integrations,lens,receipts,serving,traffic}/**/*.db.test.ts",
        "lib/api/contract.db.test.ts",
        "lib/approvals/statements/number-match.db.test.ts",
        "lib/owners/sign-in-limits.db.test.ts",
        "lib/{http/readiness,postgres/service-role,testing/upgrades/upgrade-releases}.process.test.ts",
      ];
/**
 * Files that `npm run test:shards` does not repeat on several shards, because they set up their own
 * databases, or test one database.
 */
const notOnShards = process.env.TEST_SHARDS
  ? [
      "lib/{database,cli}/shards/**",
      "lib/database/{partitioned-pool,prepared-query,retry-conflict,sql,transaction}.db.test.ts",
      "lib/cli/{migrate-command,work-on-two-shards,webhooks-on-two-shards}.db.test.ts",
      "lib/http/shard-outage.db.test.ts",
      "lib/api/database-outage-waits.db.test.ts",
      "lib/events/pubsub.db.test.ts",
      // The steps of the queue of one database.
      "lib/webhooks/delivery-queue.db.test.ts",
      "lib/postgres/**",
      // Samples about databases have the label `shard` if there are several.
      "lib/serving/metrics.db.test.ts",
      "lib/testing/owner-statements/**",
      // Their order of steps depends on the locks of one database.
      "lib/testing/interleavings/**",
      "lib/api/secrets-without-home.db.test.ts",
      "lib/approvals/{row-constraints,rows-read-for-answer-batch}.db.test.ts",
      "lib/events/{blocking-transaction,restore-offset}.db.test.ts",
      "lib/requests/{aborted-http-requests,batched-statement}.db.test.ts",
      "lib/webhooks/*-across-shards.db.test.ts",
      "lib/webhooks/*-during-outage.db.test.ts",
      "**/*query-plans.db.test.ts",
      // A program that opens no database, and the test of a shard's outage.
      "lib/log-to-closed-pipe.process.test.ts",
      "lib/serving/shard-outage.process.test.ts",
      ...rarelyOnShards,
    ]
  : [];
const processes = everything.map((folder) => `${folder}/**/*.process.test.ts`);
const more = everything.map((folder) => `${folder}/**/*.more.test.ts`);
/**
 * Files of `npm run test:more` that it runs only with `--whole`, because they take long, or few
 * people use what they test.
 */
const onlyWhole =
  process.env.TEST_WHOLE !== ""
    ? []
    : [
        "lib/testing/{container-image,node-examples,python-examples,oauth-libraries}.more.test.ts",
        "lib/testing/{github-action,postman-collection,web-app-example}.more.test.ts",
        "lib/testing/{python-adapters,npm-adapter-types}.more.test.ts",
        "lib/testing/{snippets,signed-answers}/*.more.test.ts",
        "lib/testing/release/dry-run.more.test.ts",
        "lib/alerts/channels/gotify.more.test.ts",
        "lib/database/shards/moves/move-homes.more.test.ts",
        // `npm run test:history` also ends instances that send webhooks.
        "lib/webhooks/deliveries-despite-crashes.more.test.ts",
      ];
const clients = everything.map((folder) => `${folder}/**/*.clients.test.ts`);
const plans = everything.map((folder) => `${folder}/**/*.plans.test.ts`);
const shards = everything.map((folder) => `${folder}/**/*.shards.test.ts`);
const cluster = everything.map((folder) => `${folder}/**/*.cluster.test.ts`);

/** Files that take or wait long although they are short. Otherwise, longer files start first. */
const slow = /\/interleavings\/|\/readiness\.process|\/(idle-memory|python-package|npm-package|dry-run)\.more/;
/** Starts slow files first, so that none of them runs alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    // Threads start sooner than processes, and share the V8 flags that are set above.
    pool: "threads",
    // More threads than a small machine has processors, because tests mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // Tests must also pass on a machine that is several times slower, so each poll may last a
    // minute. The limit for a whole test is longer, so that a failure names the missing value.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Database timeouts in tests are longer than in production
    // (lib/testing/real-database-timeouts.ts).
    env: { TEST_DATABASE_PATIENCE: "15" },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [...everything, "bench"].map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          exclude: [...database, ...processes, ...more, ...plans, ...shards, ...cluster, ...clients],
          // The files of a thread share its loaded modules, which halves the loading time.
          isolate: false,
          setupFiles: afresh,
        },
      },
      {
        extends: true,
        test: {
          name: "database",
          include: database,
          exclude: [...engines, ...notOnShards],
          isolate: false,
          ...onPostgres,
        },
      },
      {
        extends: true,
        test: {
          // Files that mostly wait, which `npm test` therefore runs beside the others.
          name: "database-engines",
          include: engines,
          isolate: false,
          exclude: notOnShards,
          ...onPostgres,
        },
      },
      {
        extends: true,
        test: {
          name: "database-together",
          include: together,
          exclude: [...engines, ...notOnShards],
          isolate: false,
          ...onPostgres,
          setupFiles: [...onPostgres.setupFiles, "lib/testing/force-batching.ts"],
        },
      },
      {
        extends: true,
        test: {
          // Plans the statements that the database tests recorded.
          name: "plans",
          include: plans,
          ...onPostgres,
          setupFiles: afresh,
        },
      },
      {
        extends: true,
        test: {
          // Tests of the service and its commands as processes. They need the build, which `npm
          // test` creates first.
          name: "process",
          include: processes,
          exclude: notOnShards,
          isolate: false,
          setupFiles: afresh,
          globalSetup: ["lib/testing/build-service-once.ts", "lib/testing/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          // Tests with third-party programs (Java, Go, Python, curl), and long tests: `npm run
          // test:more`.
          name: "more",
          include: more,
          exclude: onlyWhole,
          isolate: false,
          ...onPostgres,
          // Some of these tests start the built service.
          globalSetup: ["lib/testing/build-service-once.ts", onPostgres.globalSetup],
        },
      },
      {
        extends: true,
        test: {
          // Tests of the service with several PostgreSQL servers: `npm run test:shards`.
          name: "shards",
          include: shards,
          setupFiles: [afresh, "lib/testing/fast-passwords.ts"],
          globalSetup: "lib/testing/build-service-once.ts",
        },
      },
      {
        extends: true,
        test: {
          // Tests with load balancers, poolers and a database cluster: `npm run test:cluster`.
          // Their files run one at a time, so that no other test slows them down.
          name: "cluster",
          include: cluster,
          fileParallelism: false,
          setupFiles: [afresh, "lib/testing/fast-passwords.ts"],
          globalSetup: "lib/testing/build-service-once.ts",
          env: { TEST_DATABASE_PATIENCE: "1" },
        },
      },
    ],
  },
});
