import type { ClientBase } from "pg";
import type { Scope } from "./scopes";

/**
 * An open transaction that several statements share. It collects the owners to notify after its
 * commit.
 */
export type TransactionContext = { client: ClientBase; affectedOwners: Set<string> };

/**
 * The owner, who is signed in or holds a secret that only they have. `via` is the open transaction
 * that the owner's statements belong to, if any.
 */
export type OwnerActor = { readonly kind: "owner"; readonly ownerId: string; readonly via?: TransactionContext };

/**
 * An owner, and whether they proved their identity within the last ten minutes. The most sensitive
 * actions require this (see `requireRecentSignIn` in lib/owners/sessions.ts). The operator's
 * commands count as recent.
 */
export type SessionOwner = OwnerActor & { readonly fresh: boolean };

/** The sign-in method. */
export type SignInMethod = "password" | "passkey" | "recovery_code" | "email_link" | "reset_link" | "phone_link";

/** An authenticated app, as the live grant of the token that it sent. */
export type AuthenticatedApp = { readonly grantId: string; readonly ownerId: string; readonly appId: string };

/**
 * An app, identified by its token's hash. The statement that does the work also authorizes the
 * token (see `runAuthorized` in lib/access/authorization.ts). A revoked scope therefore stops
 * working on the next request.
 */
export type AppActor = {
  readonly kind: "app";
  readonly tokenHash: Buffer;
  /** The resource that got the request (RFC 8707). */
  readonly resource: "api" | "mcp";
  /** The scope that the operation needs; null if any live token works. */
  readonly needs: Scope | null;
  /** The grant; absent until the first statement that authorizes the app sets it. */
  admitted?: AuthenticatedApp;
  /** The open transaction that the app's statements belong to, if any. */
  via?: TransactionContext;
};

export type Actor = OwnerActor | AppActor;
