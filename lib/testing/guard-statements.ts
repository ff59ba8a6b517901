import { destinationOf, type OutgoingStatement } from "@/lib/database/shards/destination";
import { tablesIn } from "@/lib/database/shards/service-tables";
import { guardStatements } from "@/lib/database/shards/shard-map";
import { connectEverywhere } from "./shards/connect-everywhere";
import { sendEverywhere } from "./shards/send-everywhere";
import { testShards } from "./shards/shard-count";
import { isTestFile, statementMaker } from "./statement-maker";

/*
 * In database tests, each statement of the product needs a destination (lib/database/shards). A
 * statement that a test or a test helper sends itself needs none. A statement belongs to the first
 * file on the stack that is not part of the database layer.
 *
 * Loops, chores and commands are marked where they start, and marked-loops.db.test.ts starts them.
 * Other tests call their functions directly, without the mark. The files below are therefore exempt
 * from needing a destination, unless their work has one. They may not name two homes.
 */

/** Files whose statements find rows of all owners, and the work that marks them. */
const calledInMarkedWork: Record<string, readonly string[]> = {
  "lib/serving/background-work.ts": [
    ...["lib/approvals/deadlines.ts", "lib/approvals/held-answers.ts", "lib/approvals/triage.ts"],
    ...["lib/archive/apply-retention.ts", "lib/cli/delete-expired-rows.ts", "lib/freeze/stop-late-questions.ts"],
    ...["lib/events/blocking-transaction.ts", "lib/events/expired-events.ts", "lib/events/partition-bounds.ts"],
    ...["lib/events/retention-policy.ts", "lib/events/skip-idle-transactions.ts"],
    ...["lib/integrations/account-check-worker.ts", "lib/integrations/account-status.ts"],
    ...["lib/integrations/disconnect-account.ts", "lib/notifications/mark-expired-done.ts", "lib/alerts/email.ts"],
    ...["lib/owners/failed-sign-ins.ts", "lib/owners/security-mail.ts"],
    ...["lib/alerts/alert-loop.ts", "lib/alerts/lease-due-messages.ts", "lib/alerts/devices.ts"],
    ...["lib/alerts/delivery-worker.ts"],
    ...["lib/webhooks/fan-out.ts", "lib/webhooks/lease-deliveries.ts", "lib/webhooks/record-attempt.ts"],
  ],
  "lib/cli/secret-command.ts": ["lib/alerts/reseal-devices.ts", "lib/cli/secret-check.ts"],
};
const exempt = new Set(Object.values(calledInMarkedWork).flat());

/** Files whose functions send the statements of other files. */
const senders =
  /^(node_modules|lib\/database|lib\/generated)\/|^lib\/(events\/change-transaction|request-context|testing\/guard-statements)\.ts$/;

/** Returns the file that makes a statement, if it is one of this repository. */
function makerOnStack(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return statementMaker(stack, senders);
}

/** Whether the statement was made by a test, or in work that no file of this repository began. */
function isOfTest(): boolean {
  const maker = makerOnStack();
  return maker === undefined || isTestFile(maker);
}

/** Whether a test's statement concerns the rows of all owners. */
function concernsAllShards(statement: OutgoingStatement): boolean {
  const tables = tablesIn(statement.text);
  const isOfServer = tables.length > 0 && tables.every((table) => /^pg_/.test(table));
  return !isOfServer && destinationOf(statement) === undefined && (isOfTest() || exempt.has(makerOnStack() ?? ""));
}

/**
 * Rejects the product's statements without a destination until the test file ends. Such a statement
 * of a test goes to all shards if there are several (TEST_SHARDS).
 */
export function guardProduct(): void {
  if (testShards > 0) connectEverywhere();
  guardStatements({
    exempts: (problem) => isOfTest() || (/names no owner/.test(problem) && exempt.has(makerOnStack() ?? "")),
    ...(testShards > 0 && {
      everywhere: (statement, send) => (concernsAllShards(statement) ? sendEverywhere(statement, send) : undefined),
    }),
  });
}

/**
 * Sends the product's statements even without a destination, also those of functions that loops
 * call.
 * @returns the problems of these statements, which grow
 */
export function collectStatementProblems(): string[] {
  const problems: string[] = [];
  guardStatements({
    exempts: (problem) => {
      if (!isOfTest()) problems.push(`${makerOnStack()}: ${problem}`);
      return true;
    },
  });
  return problems;
}
