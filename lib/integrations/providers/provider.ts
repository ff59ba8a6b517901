import type { Access } from "./access-types";

/** Why an account does not work. The owner sees a sentence about it. The API never returns it. */
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
 * An account's credential. It is stored only in the vault, sent only to its provider, and never
 * logged.
 */
export type Credential = OAuthCredential | MailCredential;

export type OAuthCredential = {
  kind: "oauth";
  accessToken: string;
  /**
   * Absent if the provider issues none. The account then works only as long as the access token.
   */
  refreshToken?: string;
  /**
   * When the access token expires, in epoch milliseconds. Absent if the provider did not report it.
   */
  expiresAt?: number;
  /** The granted scopes that the provider reported, not those that we requested. */
  scopes: string[];
  /**
   * The authorization server that issued the credential, and the only one that may receive it, even
   * if the settings later name another.
   */
  server?: string;
};

export type MailCredential = { kind: "mail"; user: string; password: string; imap: MailServer; smtp?: MailServer };
/** `tls` means that TLS starts with the first byte. Otherwise, STARTTLS is required. */
export type MailServer = { host: string; port: number; tls: boolean };

/** An account at the provider. Its `issuer` and `subject` together never change. */
export type ProviderAccount = { issuer: string; subject: string; email: string; name?: string };

/** An account that a provider has just granted us access to. */
export type Linked = { account: ProviderAccount; credential: Credential; scopes: string[] };

/** The result of a successful check. `credential` is present if the provider issued a new one. */
export type Renewed = { credential?: Credential; scopes?: string[]; account?: ProviderAccount };

/**
 * A client for a provider's linked accounts. Every call ends when `signal` aborts, and follows no
 * redirect.
 * @throws {ProviderFault} for anything that the provider causes
 */
export type ProviderClient = {
  /**
   * Asks the provider whether the credential works. Renews the credential, if possible, if `renew`
   * is set or it expires soon.
   */
  check(
    credential: Credential,
    about: { account: ProviderAccount; renew: boolean; signal: AbortSignal },
  ): Promise<Renewed>;
  /** Revokes the credential at the provider. Best effort. */
  revoke(credential: Credential, signal: AbortSignal): Promise<void>;
};

/**
 * Thrown if a call to a provider failed. `final` means that only the owner can fix the problem.
 * Otherwise, the problem may be temporary.
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
 * An entry of the catalog: a provider whose accounts owners can link once the operator has set it
 * up.
 */
export type Provider = {
  /** The provider's ID in URLs and in the database. The API returns it as `provider`. */
  id: string;
  /** The provider's display name, such as "Google". */
  name: string;
  kind: "oauth" | "mail";
  /** Whether the operator has set the provider up. */
  ready: boolean;
  /** The environment variables that set the provider up. */
  variables: readonly string[];
  /** The access that the provider offers besides identity, in the order of `accesses`. */
  offers: readonly Access[];
};
