import type { Access } from "./access-types";

/** Why an account does not work. The owner sees the reason in words. The API never returns it. */
export type StatusReason =
  | "invalid_grant"
  | "revoked_at_provider"
  | "refresh_exhausted"
  | "password_rejected"
  | "credential_unreadable"
  | "rate_limited"
  | "provider_down"
  | "provider_misbehaves"
  | "failing_too_long"
  | "not_configured"
  | "owner_disconnected";

/**
 * An account's credential, stored only in the vault. It is never logged, and sent only to its
 * provider.
 */
export type Credential = OAuthCredential | MailCredential;

export type OAuthCredential = {
  kind: "oauth";
  accessToken: string;
  /**
   * The refresh token. Absent if the provider issues none. The account then works as long as the
   * access token does.
   */
  refreshToken?: string;
  /**
   * When the access token expires, in epoch milliseconds. Absent if the provider did not report it.
   */
  expiresAt?: number;
  /** The granted scopes that the provider reported, not those that we requested. */
  scopes: string[];
  /**
   * The authorization server that issued the credential. If the settings later name another server,
   * that server does not get the credential.
   */
  server?: string;
};

export type MailCredential = { kind: "mail"; user: string; password: string; imap: MailServer; smtp?: MailServer };
/** `tls`: TLS starts with the first byte. Otherwise STARTTLS is required. */
export type MailServer = { host: string; port: number; tls: boolean };

/** The account at the provider. `issuer` and `subject` together identify it permanently. */
export type ProviderAccount = { issuer: string; subject: string; email: string; name?: string };

/** An account that a provider has just granted us access to. */
export type Linked = { account: ProviderAccount; credential: Credential; scopes: string[] };

/** A successful check's result. `credential` is set if the provider issued a new one. */
export type Renewed = { credential?: Credential; scopes?: string[]; account?: ProviderAccount };

/**
 * A client for linked accounts at a provider. Every call ends when `signal` aborts, and follows no
 * redirect.
 * @throws {ProviderFault} for anything the provider causes
 */
export type ProviderClient = {
  /**
   * Asks the provider to confirm that the credential works. If `renew` is set or the credential
   * expires soon, renews it if possible.
   */
  check(
    credential: Credential,
    about: { account: ProviderAccount; renew: boolean; signal: AbortSignal },
  ): Promise<Renewed>;
  /** Revokes the credential at the provider. Best effort. */
  revoke(credential: Credential, signal: AbortSignal): Promise<void>;
};

/**
 * Thrown if a call to a provider failed. `final`: whether only the owner can fix the problem. If
 * not, the problem may be temporary.
 */
export class ProviderFault extends Error {
  constructor(
    readonly reason: StatusReason,
    readonly final: boolean,
    /** The cause for our log, without secrets, tokens or bodies. */
    message: string,
    /** Seconds that the provider asked us to wait. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/**
 * A catalog entry: a provider whose accounts owners can link, or could if the operator set it up.
 */
export type Provider = {
  /** The provider's ID in URLs and in the database. The API returns it as `provider`. */
  id: string;
  /** The provider's display name, such as "Google". */
  name: string;
  kind: "oauth" | "mail";
  /** Whether the operator has set the provider up. */
  ready: boolean;
  /** The variables with which the operator sets the provider up. */
  variables: readonly string[];
  /** Access that the provider offers in addition to identity, in the order of `accesses`. */
  offers: readonly Access[];
};
