// Written by `npm run derive` from the OpenAPI document.
import type { Fields } from "./field-types";

export type Added = {
  /** Always `true`. */
  ok: boolean;
  /** A time in epoch milliseconds. */
  createdAt: number;
};

export type AdditionRequest = {
  /** Information for the owner, shown as sanitized Markdown. */
  text: string;
};

export type AnswerRequest = OptionAnswer | OtherAnswer;

export type AnswerSignature = {
  /** The signed statement, as canonical JSON (RFC 8785). Its SHA-256 is the WebAuthn challenge. */
  statement: string;
  /** The passkey's credential ID, as in GET `/api/owner/keys`. */
  credentialId: string;
  /** The authenticator data (WebAuthn level 3, section 6.1), in base64url. */
  authenticatorData: string;
  /** The client data (WebAuthn level 3, section 5.8.1), in base64url. */
  clientDataJSON: string;
  /** The signature over the authenticator data and the client data’s SHA-256. */
  signature: string;
  /** Whether the passkey can be synced to other devices of the owner. */
  synced: boolean;
};

export type Approval = {
  /** The ID of the approval. */
  _id: string;
  /** A time in epoch milliseconds. */
  _creationTime: number;
  /** The client ID of the app that submitted the approval. */
  clientId: string;
  /** The question that the owner must answer. */
  question: string;
  /** The most important facts for the decision. */
  facts?: ApprovalFact[] | undefined;
  /** The fields that the owner fills in, as a JSON Schema of a flat object. */
  fields?: Record<string, unknown> | undefined;
  /** The options that the owner can choose. */
  options: ApprovalOption[];
  /** Background that helps the owner decide. */
  backgroundContext?: string | undefined;
  /** The recommended option's `id` or `label`, or other text. */
  recommendation?: string | undefined;
  /** The deadline for the answer, in epoch milliseconds. */
  expiresAt?: number | undefined;
  /** The deadline after the owner's freezes moved it, in epoch milliseconds. Absent if none did. `expiresAt` never changes, because `contentHash` covers it. */
  dueAt?: number | undefined;
  /** The ID of the option recorded if no one answers before the deadline. */
  defaultOptionId?: string | undefined;
  /** `true` if only the owner may answer; otherwise absent. */
  ownerOnly?: boolean | undefined;
  /** `true` if the owner can withdraw the answer until it is used; otherwise absent. */
  once?: boolean | undefined;
  /** The risk of the decision, as the app declared it. */
  risk?: "low" | "normal" | "high" | (string & {}) | undefined;
  /** `true` if the owner’s passkey must sign the answer, `in-lens` if also in a lens, `when-possible` if it must while the owner has a passkey; otherwise absent. */
  signedByOwner?: boolean | "when-possible" | "in-lens" | undefined;
  /** `true` once a pending approval's deadline has passed. The approval can no longer be answered. */
  deadlinePassed?: boolean | undefined;
  /** `sha256:`, followed by the hexadecimal SHA-256 hash of the question's canonical JSON (RFC 8785). */
  contentHash: string;
  /** `pending` until an answer or the default is recorded, then `resolved` permanently. */
  status: "pending" | "resolved";
  /** The answer; present once the approval is resolved. */
  resolution?: Resolution | undefined;
  /** Information that the app added, oldest first. */
  additions?: Said[] | undefined;
  /** The questions that the owner asked the app before deciding, oldest first. */
  questions?: Said[] | undefined;
  /** The latest outcome reported by the app. */
  outcome?: Outcome | undefined;
  /** When the owner's answer was used, in epoch milliseconds. */
  usedAt?: number | undefined;
  /** When the owner withdrew the answer, in epoch milliseconds. The resolution stays, but can no longer be used. */
  withdrawnAt?: number | undefined;
};

export type ApprovalFact = {
  /** The name of the fact, like `Amount`. */
  label: string;
  /** The value of the fact, like `86.40 €`. */
  value: string;
};

export type ApprovalFactRequest = {
  /** The name of the fact, like `Amount`. */
  label: string;
  /** The value of the fact, like `86.40 €`. */
  value: string;
};

export type ApprovalOption = {
  /** The ID of the option, which the resolution returns as `optionId`. */
  id: string;
  /** The label that the owner reads. */
  label: string;
  /** A detail below the label. */
  note?: string | undefined;
  /** `danger` marks the option with a warning. If the first option has `danger`, the owner sees all `danger` options after the others. */
  style?: "default" | "danger" | (string & {}) | undefined;
  /** Whether an answer with this option has values for the approval's `fields`. */
  fields?: boolean | undefined;
};

export type ApprovalOptionRequest = {
  /** The ID of the option, which the resolution returns as `optionId`. */
  id: string;
  /** The label that the owner reads. */
  label: string;
  /** A detail below the label. */
  note?: string | undefined;
  /** `danger` marks the option with a warning. If the first option has `danger`, the owner sees all `danger` options after the others. */
  style?: "default" | "danger" | undefined;
  /** Whether an answer with this option has values for the approval's `fields`. */
  fields?: boolean | undefined;
};

export type ApprovalPage = {
  /** One page of results. */
  data: Approval[];
  /** The cursor for the next page; absent on the last page. Send the value as `cursor`. */
  nextCursor?: string | undefined;
};

export type ApprovalRequest = {
  /** The question that the owner must answer. */
  question: string;
  /** The most important facts for the decision, such as an amount. Shown above the background. At most 6 facts, each on one line of plain text. Several facts may have the same label. */
  facts?: ApprovalFactRequest[] | undefined;
  /** The fields that the owner fills in, as a JSON Schema of a flat object (see `/docs/fields`). At least one option must have `fields: true`. */
  fields?: Fields | undefined;
  /** 1 to 20 options. IDs must differ by more than case. Labels must not look alike. */
  options: ApprovalOptionRequest[];
  /** Background that helps the owner decide; shown as safe Markdown. */
  backgroundContext?: string | undefined;
  /** The recommended answer. An option with this `id` or `label` is marked as suggested. Any other recommendation is shown as text. */
  recommendation?: string | undefined;
  /** The deadline for the answer in epoch milliseconds, 10 seconds to 366 days from now. */
  expiresAt?: number | undefined;
  /** The ID of the option recorded as the app's own answer if no one answers before `expiresAt`. Also requires the scope `approvals:resolve`. */
  defaultOptionId?: string | undefined;
  /** Whether only the owner may answer. If `true`, no app can answer, even with `approvals:resolve`. */
  ownerOnly?: boolean | undefined;
  /** Whether the owner can withdraw the answer until it is used. If `true`, act on the answer only after POST `/api/approvals/{id}/use` succeeds. */
  once?: boolean | undefined;
  /** The risk of the decision, which cannot be changed later. The owner answers a question with `high` risk in two steps or by pressing and holding, never in a batch. */
  risk?: "low" | "normal" | "high" | undefined;
  /** Whether the owner’s passkey must sign the answer, so that the resolution has a `signature`. `true` implies `ownerOnly`, and is rejected if the owner has no passkey. `in-lens` does the same, and the owner must sign in the operator’s lens (see `/docs/lens`). `when-possible` requires a signature only while the owner has a passkey. */
  signedByOwner?: boolean | "when-possible" | "in-lens" | undefined;
  /** Two digits that the app shows to the person who started the action. Before answering, the owner picks this number from three choices. A correct pick shows that the owner is looking at the app. Requires `risk: high`. Responses and the content hash do not include the number. */
  match?: string | undefined;
};

/** The request succeeded. */
export type Done = {
  /** Always `true`. */
  ok: boolean;
};

export type Event = {
  /** The event's ID, which never changes. Send the ID as `after`, or in Last-Event-ID. */
  id: string;
  /** The type of the event. */
  type: "approval.submitted" | "approval.resolved" | "approval.deadline_passed" | "approval.question_asked" | "approval.withdrawn" | "notification.pushed" | "integration.status_changed" | "grant.changed" | "owner.frozen" | "owner.unfrozen" | "owner.keys_changed" | (string & {});
  /** A time in epoch milliseconds. */
  createdAt: number;
  /** The event's data, with these fields for each event type. approval.submitted: `id`. approval.resolved: `id`, `resolution`, `contentHash`. approval.deadline_passed: `id`, `expiresAt`. approval.question_asked: `id`, `question`. approval.withdrawn: `id`, `withdrawnAt`. notification.pushed: `id`, `title`, `type`. integration.status_changed: `id`, `provider`, `status`, `was`. grant.changed: `scopes`, `added`, `removed` (`added` and `removed` are empty if only the shared accounts changed). owner.frozen: `by` (`owner`, `app` or `operator`). owner.unfrozen: `frozenMs` (the duration of the freeze in milliseconds, by which the deadlines of pending approvals moved). owner.keys_changed: `credentialId`, `change` (`added` or `removed`). */
  data: Record<string, unknown>;
};

export type EventPage = {
  /** The owner's ID. Webhook payloads carry the same ID in `sub`. */
  owner: string;
  /** The events, oldest first. */
  data: Event[];
  /** The cursor for the next page, always present. Send the value as `after`. */
  nextCursor: string;
};

export type FreezeRequest = Record<string, never>;

export type Integration = {
  /** The ID of the integration. */
  id: string;
  /** The ID of the linked account's provider, like `google`. */
  provider: string;
  /** The status of the integration. `connected`: the account works. `needs_reauth`: the owner must reconnect the account and has been notified. The ID stays the same. `error`: the service is retrying. `disconnected`: the owner removed the account, which stays listed for 30 days. */
  status: "connected" | "needs_reauth" | "error" | "disconnected" | (string & {});
  /** The email address of the linked account. */
  email: string;
  /** The types of data in this account that the provider has granted access to, in alphabetical order. `identity` is always included. A type is listed if the provider granted read access, write access or both. */
  buckets: ("identity" | "mail" | "calendar" | "contacts" | "files" | "tasks" | (string & {}))[];
};

export type IntegrationList = {
  /** All shared accounts. */
  data: Integration[];
};

export type Notification = {
  /** The ID of the notification. */
  _id: string;
  /** A time in epoch milliseconds. */
  _creationTime: number;
  /** The title of the notification. */
  title: string;
  /** The text of the notification. */
  body: string;
  /** The notification's category, as free text. */
  type: string;
  /** A time in epoch milliseconds. */
  createdAt: number;
  /** The object that the app attached to the notification. */
  data: Record<string, unknown>;
};

export type NotificationPage = {
  /** One page of results. */
  data: Notification[];
  /** The cursor for the next page; absent on the last page. Send the value as `cursor`. */
  nextCursor?: string | undefined;
};

export type NotificationRequest = {
  /** One line that summarizes the notification. */
  title: string;
  /** The text of the notification; empty by default. */
  body?: string | undefined;
  /** The notification's category, as free text; `general` by default. The owner can mute each type separately. */
  type?: string | undefined;
  /** A free-form object, at most 16 KiB and 8 levels deep, returned unchanged. Empty by default. Integers must fit in 53 bits. The field `inbox` sets how the owner sees the notification: `url` (https), `priority` (low, normal, high, urgent), `dedupeKey` (a newer notification with the same key replaces the older notification), `expiresAt` (epoch milliseconds), `format` (plain, markdown). Unknown fields of `inbox` are ignored. */
  data?: Record<string, unknown> | undefined;
};

/** An answer with one of the options. */
export type OptionAnswer = {
  /** `option`: choose an option. `other`: answer in free text. */
  kind: "option";
  /** The chosen option's `id`; required with kind `option`. */
  optionId: string;
  /** A note to add to the answer, as free text. */
  note?: string | undefined;
  /** The values of the approval's `fields` by name; required if the option takes fields. */
  values?: Record<string, unknown> | undefined;
};

/** An answer in free text. */
export type OtherAnswer = {
  /** `option`: choose an option. `other`: answer in free text. */
  kind: "other";
  /** The answer in free text; required with kind `other`. */
  otherText: string;
  /** A note to add to the answer, as free text. */
  note?: string | undefined;
};

export type Outcome = {
  /** `started` while the action is in progress; `done` or `failed` when it is finished. */
  status: "started" | "done" | "failed" | (string & {});
  /** A description of the outcome, in the app's words. */
  text?: string | undefined;
  /** A link to the result. */
  link?: string | undefined;
  /** A time in epoch milliseconds. */
  reportedAt: number;
};

export type OutcomeRequest = {
  /** `started` while the action is in progress; `done` or `failed` when it is finished. */
  status: "started" | "done" | "failed";
  /** A description of the outcome, for the owner. */
  text?: string | undefined;
  /** The https address of the result. The owner sees only its host. */
  link?: string | undefined;
};

export type OwnerKey = {
  /** The passkey's credential ID, in base64url. */
  credentialId: string;
  publicKey: PublicKeyJwk;
  /** Whether the passkey can be synced to other devices; absent until an older passkey is used. */
  synced?: boolean | undefined;
  /** When the owner added the passkey, in epoch milliseconds. */
  since: number;
  /** When the owner removed the passkey, in epoch milliseconds. */
  until?: number | undefined;
};

export type OwnerKeys = {
  /** The owner's ID, as in receipts and statements. */
  owner: string;
  /** The WebAuthn relying party ID: the service's host. */
  rpId: string;
  /** The origins whose pages can get signatures. */
  origins: string[];
  /** The owner's keys, oldest first. */
  keys: OwnerKey[];
};

/** A public key as a JSON Web Key (RFC 7517): ES256, EdDSA or RS256. */
export type PublicKeyJwk = {
  /** The key type: `EC`, `OKP` or `RSA`. */
  kty: string;
  /** The algorithm of signatures: `ES256`, `EdDSA` or `RS256`. */
  alg: string;
  /** The curve of an `EC` or `OKP` key: `P-256` or `Ed25519`. */
  crv?: string | undefined;
  /** The x coordinate of an `EC` key, or the public key of an `OKP` key. */
  x?: string | undefined;
  /** The y coordinate of an `EC` key. */
  y?: string | undefined;
  /** The modulus of an `RSA` key. */
  n?: string | undefined;
  /** The exponent of an `RSA` key. */
  e?: string | undefined;
};

export type PushedNotification = {
  /** The ID of the notification. */
  id: string;
};

export type Resolution = {
  /** `option`: one of the options. `other`: free text. */
  kind: "option" | "other";
  /** The chosen option's `id`; present when `kind` is `option`. */
  optionId?: string | undefined;
  /** The answer in free text; present when `kind` is `other`. */
  otherText?: string | undefined;
  /** The values of the approval's `fields` by name; present if the chosen option takes fields. */
  values?: Record<string, unknown> | undefined;
  /** A note that the owner or app added to the answer. */
  note?: string | undefined;
  /** `owner` if the owner answered while signed in, or from an email link or an alert. `api` if an app answered or the default was recorded. */
  resolvedBy: "owner" | "api";
  /** A time in epoch milliseconds. */
  resolvedAt: number;
  /** The signature of the owner’s passkey, if the answer is signed. */
  signature?: AnswerSignature | undefined;
};

export type Said = {
  /** The text of the owner's question or the app's addition. */
  text: string;
  /** A time in epoch milliseconds. */
  createdAt: number;
};

export type SignedReceipt = {
  /** A compact JWS with the claims `iss`, `aud` (the client ID), `owner` (the owner's ID), `sub` (the approval's ID), `iat`, `contentHash` and `resolution`. The claim `once` is present if the owner can withdraw the answer until it is used, and `simulated` if the answer is simulated. */
  receipt: string;
};

/** The approval's `id`. With `wait`, the whole approval at the end of the wait. */
export type SubmittedApproval = Partial<Omit<Approval, "_id">> & {
  /** The ID of the approval. */
  id: string;
};

export type Use = {
  /** When the answer was used, in epoch milliseconds. */
  usedAt: number;
  /** A compact JWS of type `countersign-use+jwt` with the claims of the approval's receipt, and `use`: `at` (epoch milliseconds), `by` (`app` or `receipt`) and `key` (the SHA-256 of the Idempotency-Key in base64url). */
  receipt: string;
};

export type UseRequest = {
  /** The `contentHash` of the approval, so that the answer is used only for the content that the owner saw. */
  contentHash: string;
  /** The values of the resolution, if it has some, so that the answer is used only with what the owner allowed. */
  values?: Record<string, unknown> | undefined;
};

/** The approval at the end of the wait. */
export type WaitedApproval = Omit<Approval, "_id"> & {
  /** The ID of the approval. */
  id: string;
};

/** What each operation takes, in path, query and body together, and what it gives. */
export type Operations = {
  addToApproval: {
    takes: {
      /** The ID of the approval. */
      id: string;
    } & AdditionRequest;
    gives: Added;
  };
  freezeSelf: {
    takes: FreezeRequest;
    gives: Done;
  };
  getApproval: {
    takes: {
      /** The ID of the approval. */
      id: string;
      /** Seconds to wait for the answer. */
      wait?: number | undefined;
    };
    gives: Approval;
  };
  getNotification: {
    takes: {
      /** The ID of the notification. */
      id: string;
    };
    gives: Notification;
  };
  getOwnerKeys: {
    takes: Record<string, never>;
    gives: OwnerKeys;
  };
  getReceipt: {
    takes: {
      /** The ID of the approval. */
      id: string;
    };
    gives: SignedReceipt;
  };
  listApprovals: {
    takes: {
      /** Returns only approvals with this status. By default, returns all approvals. */
      status?: "pending" | "resolved" | undefined;
      /** The maximum number of results, 1 to 200. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    gives: ApprovalPage;
  };
  listEvents: {
    takes: {
      /** Returns events after this event `id` or `nextCursor`. By default, the list starts with the oldest event. */
      after?: string | undefined;
      /** The maximum number of results, 1 to 100. */
      limit?: number | undefined;
      /** Seconds to wait if no events are available. */
      wait?: number | undefined;
    };
    gives: EventPage;
  };
  listIntegrations: {
    takes: Record<string, never>;
    gives: IntegrationList;
  };
  listNotifications: {
    takes: {
      /** Returns only notifications of this type. By default, returns all notifications. */
      type?: string | undefined;
      /** The maximum number of results, 1 to 200. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    gives: NotificationPage;
  };
  pushNotification: {
    takes: NotificationRequest;
    gives: PushedNotification;
  };
  reportOutcome: {
    takes: {
      /** The ID of the approval. */
      id: string;
    } & OutcomeRequest;
    gives: Done;
  };
  resolveApproval: {
    takes: {
      /** The ID of the approval. */
      id: string;
    } & AnswerRequest;
    gives: Done;
  };
  submitApproval: {
    takes: {
      /** Seconds to wait for the answer after the approval is submitted. */
      wait?: number | undefined;
    } & ApprovalRequest;
    gives: SubmittedApproval;
  };
  useAnswer: {
    takes: {
      /** The ID of the approval. */
      id: string;
    } & UseRequest;
    gives: Use;
  };
};
