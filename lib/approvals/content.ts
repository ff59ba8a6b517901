import type { ClientBase } from "pg";
import { run, sql } from "@/lib/sql";

/**
 * What was asked has changed: the app added to it. Called in the transaction of that change, after it, while the approval's
 * row is locked; additions are rows of `approval_addition`, oldest first by `nth`.
 */
export async function rehash(client: ClientBase, approvalId: string): Promise<void> {
  await run(sql`UPDATE approval a SET content_hash = approval_current_hash(a) WHERE a.id = ${approvalId}`, client);
}
