import type { ClientBase } from "pg";

/**
 * What was asked has changed: the app added to it. Called in the transaction of that change, after it, while the approval's
 * row is locked; additions are rows of `approval_addition`, oldest first by `nth`.
 */
export async function rehash(_client: ClientBase, _approvalId: string): Promise<void> {
  // MERGE: here the approval's content_hash is computed anew.
}
