import type { ClientBase } from "pg";
import type { Scope } from "./scopes";

/** An open transaction that statements take part in, and whom to concerned once it is committed. */
export type TransactionContext = { client: ClientBase; affectedOwners: Set<string> };

/** The owner, signed in or by what only they were given. `via` is the open transaction their statements belong to, if any. */
export type OwnerActor = { readonly kind: "owner"; readonly ownerId: string; readonly via?: TransactionContext };

/**
 * An owner, and whether they showed who they are within the last ten minutes, which what matters most asks for (see
 * `requireRecentSignIn` in lib/owners/sessions.ts). The operator's commands act as one who did.
 */
export type SessionOwner = OwnerActor & { readonly fresh: boolean };

/** Who an app turned out to be: the live grant behind the token it showed. */
export type AuthenticatedApp = { readonly grantId: string; readonly ownerId: string; readonly appId: string };

/**
 * An app, known by the hash of the token it showed. Whose it is and what it may do is decided by the database in the same
 * statement that does the work (see `act` in lib/access/authorization.ts), so a scope taken back holds on the very next request.
 */
export type AppActor = {
  readonly kind: "app";
  readonly tokenHash: Buffer;
  /** Which of our resources the request came to (RFC 8707). */
  readonly resource: "api" | "mcp";
  /** The scope the operation needs; null where any live token will do. */
  readonly needs: Scope | null;
  /** Filled in by the first statement that admitted it. */
  admitted?: AuthenticatedApp;
  /** The open transaction its statements belong to, if any. */
  via?: TransactionContext;
};

export type Actor = OwnerActor | AppActor;
