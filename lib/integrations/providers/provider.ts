import type { Access } from "./access";

/** Why an account does not work, or what is the matter with it. For the owner in words, never in the API. */
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

/** What we hold of an account, as it stands inside the vault and nowhere else. Never logged, never sent anywhere but to its provider. */
export type Credential = OAuthCredential | MailCredential;

export type OAuthCredential = {
  kind: "oauth";
  accessToken: string;
  /** Absent where the provider gives none: then the account works for as long as the access token does. */
  refreshToken?: string;
  /** Epoch milliseconds; absent where the provider did not say. */
  expiresAt?: number;
  /** As the provider answered, never as we asked. */
  scopes: string[];
  /** Which authorization server gave it: it is shown to no other, whatever the settings say later. */
  server?: string;
};

export type MailCredential = {
  kind: "mail";
  user: string;
  password: string;
  imap: MailServer;
  smtp?: MailServer;
};
/** `tls`: from the first byte; otherwise STARTTLS, which is then required. */
export type MailServer = { host: string; port: number; tls: boolean };

/** Whose account it is, in the provider's words. `issuer` and `subject` together name it for good. */
export type ProviderAccount = { issuer: string; subject: string; email: string; name?: string };

/** An account that a provider just let us into. */
export type Linked = { account: ProviderAccount; credential: Credential; scopes: string[] };

/** What a look at the provider found: the account works. `credential` is new where the provider gave us another. */
export type Renewed = { credential?: Credential; scopes?: string[]; account?: ProviderAccount };

/**
 * How one provider is spoken to after an account is linked. Every call ends within `signal` and never follows a redirect.
 * @throws {ProviderFault} and nothing else that is the provider's doing
 */
export type ProviderClient = {
  /**
   * Have the provider confirm that what we hold still works; renew it when it can be renewed and `renew` asks for that or it ends soon.
   */
  check(
    credential: Credential,
    about: { account: ProviderAccount; renew: boolean; signal: AbortSignal },
  ): Promise<Renewed>;
  /** Tell the provider that we give up what we hold. Best effort. */
  revoke(credential: Credential, signal: AbortSignal): Promise<void>;
};

/** The provider did not confirm. `final`: only the owner can put it right; otherwise it may pass by itself. */
export class ProviderFault extends Error {
  constructor(
    readonly reason: StatusReason,
    readonly final: boolean,
    /** What it said, for our log: no secret, no token, no body. */
    message: string,
    /** Seconds that the provider asked us to wait. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** One entry of the catalogue: a provider that owners can link accounts of, or could if the operator set it up. */
export type Provider = {
  /** In addresses, in the database, and `provider` in the API. */
  id: string;
  /** For people: "Google". */
  name: string;
  kind: "oauth" | "mail";
  /** Whether the operator has set it up. */
  ready: boolean;
  /** The variables that set it up, for the operator. */
  variables: readonly string[];
  /** What can be asked of it beside who one is, in the order of `accesses`. */
  offers: readonly Access[];
};
