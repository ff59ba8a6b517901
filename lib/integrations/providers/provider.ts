import type { Access } from "./access";

/** Why an account does not work. Shown to the owner in words, never in the API. */
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
 * An account's credential, stored only in the vault. Never logged, and sent only to its provider.
 */
export type Credential = OAuthCredential | MailCredential;

export type OAuthCredential = {
  kind: "oauth";
  accessToken: string;
  /**
   * Absent if the provider issues none: then the account works as long as the access token does.
   */
  refreshToken?: string;
  /** Epoch milliseconds; absent if the provider did not report it. */
  expiresAt?: number;
  /** As the provider reported, never as we requested. */
  scopes: string[];
  /**
   * The authorization server that issued it. It is sent to no other, whatever the settings say
   * later.
   */
  server?: string;
};

export type MailCredential = { kind: "mail"; user: string; password: string; imap: MailServer; smtp?: MailServer };
/** `tls`: from the first byte; otherwise STARTTLS is required. */
export type MailServer = { host: string; port: number; tls: boolean };

/** The account at the provider. `issuer` and `subject` together identify it permanently. */
export type ProviderAccount = { issuer: string; subject: string; email: string; name?: string };

/** An account that a provider has just granted us access to. */
export type Linked = { account: ProviderAccount; credential: Credential; scopes: string[] };

/** A check's result: the account works. `credential` is set if the provider issued a new one. */
export type Renewed = { credential?: Credential; scopes?: string[]; account?: ProviderAccount };

/**
 * A provider's client for linked accounts. Every call ends within `signal` and never follows a
 * redirect.
 * @throws {ProviderFault} for anything the provider causes
 */
export type ProviderClient = {
  /**
   * Have the provider confirm that the credential works. Renew it if possible and if `renew` is set
   * or it expires soon.
   */
  check(
    credential: Credential,
    about: { account: ProviderAccount; renew: boolean; signal: AbortSignal },
  ): Promise<Renewed>;
  /** Revoke the credential at the provider. Best effort. */
  revoke(credential: Credential, signal: AbortSignal): Promise<void>;
};

/**
 * The provider did not confirm. `final`: only the owner can fix it; otherwise it may be temporary.
 */
export class ProviderFault extends Error {
  constructor(
    readonly reason: StatusReason,
    readonly final: boolean,
    /** The cause, for our log: no secret, no token, no body. */
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
  /** Its ID in URLs and in the database; `provider` in the API. */
  id: string;
  /** Its display name, such as "Google". */
  name: string;
  kind: "oauth" | "mail";
  /** Whether the operator has set it up. */
  ready: boolean;
  /** The variables that set it up, for the operator. */
  variables: readonly string[];
  /** Access that it offers in addition to identity, in the order of `accesses`. */
  offers: readonly Access[];
};
