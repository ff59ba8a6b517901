// Written by `npm run derive` from the OpenAPI document.

export type Added = {
  /** Always `true`. */
  ok: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
};

export type AdditionRequest = {
  /** Additional information for the owner; shown as safe Markdown. */
  text: string;
};

export type AnswerRequest = OptionAnswer | OtherAnswer;

export type Approval = {
  /** Identifier of the approval. */
  _id: string;
  /** Epoch milliseconds. */
  _creationTime: number;
  /** The app that submitted the approval. */
  clientId: string;
  /** The decision the owner must make. */
  question: string;
  /** The most important facts of the decision. */
  facts?: ApprovalFact[] | undefined;
  /** The choices offered to the owner. */
  options: ApprovalOption[];
  /** Context to help the owner decide. */
  backgroundContext?: string | undefined;
  /** The app's recommendation. */
  recommendation?: string | undefined;
  /** Deadline for the answer, epoch milliseconds. */
  expiresAt?: number | undefined;
  /** The ID of the option recorded if no one answers before the deadline. */
  defaultOptionId?: string | undefined;
  /** `true` if only the owner may answer; otherwise absent. */
  ownerOnly?: boolean | undefined;
  /** The risk of the decision, as declared by the app. */
  risk?: "low" | "normal" | "high" | (string & {}) | undefined;
  /** `true` once a pending approval's deadline has passed. The approval can no longer be answered. */
  deadlinePassed?: boolean | undefined;
  /** `sha256:`, followed by the hexadecimal SHA-256 hash of the question's canonical JSON (RFC 8785). */
  contentHash: string;
  /** `pending` until the approval is answered, then `resolved` permanently. */
  status: "pending" | "resolved";
  /** The answer; present once the approval is resolved. */
  resolution?: Resolution | undefined;
  /** The app's additions to the pending approval, oldest first. */
  additions?: Said[] | undefined;
  /** Clarifications that the owner asked for before deciding, oldest first. */
  questions?: Said[] | undefined;
  /** The latest outcome reported by the app. */
  outcome?: Outcome | undefined;
};

export type ApprovalFact = {
  /** Name of the fact, like `Amount`. */
  label: string;
  /** Value of the fact, like `86.40 €`. */
  value: string;
};

export type ApprovalFactRequest = {
  /** Name of the fact, like `Amount`. */
  label: string;
  /** Value of the fact, like `86.40 €`. */
  value: string;
};

export type ApprovalOption = {
  /** Stable identifier of the option; returned in the resolution as `optionId`. */
  id: string;
  /** Human-readable label shown to the owner. */
  label: string;
  /** Optional detail shown beneath the label. */
  note?: string | undefined;
  /** `danger` marks the option with a warning. A `danger` option in first place moves after the others. */
  style?: "default" | "danger" | (string & {}) | undefined;
};

export type ApprovalOptionRequest = {
  /** Stable identifier of the option; returned in the resolution as `optionId`. */
  id: string;
  /** Human-readable label shown to the owner. */
  label: string;
  /** Optional detail shown beneath the label. */
  note?: string | undefined;
  /** `danger` marks the option with a warning. A `danger` option in first place moves after the others. */
  style?: "default" | "danger" | undefined;
};

export type ApprovalPage = {
  /** One page of results. */
  data: Approval[];
  /** Cursor for the next page. Send the cursor as `cursor`. Absent on the last page. */
  nextCursor?: string | undefined;
};

export type ApprovalRequest = {
  /** The decision the owner must make. */
  question: string;
  /** The most important facts of the decision, such as an amount. Shown above the background. At most 6 facts, each on one line of plain text. Labels may repeat. */
  facts?: ApprovalFactRequest[] | undefined;
  /** 1 to 20 options. IDs must differ by more than case. Labels must not look alike. */
  options: ApprovalOptionRequest[];
  /** Context to help the owner decide; shown as safe Markdown. */
  backgroundContext?: string | undefined;
  /** The recommended answer. An option with this `id` or `label` is marked as suggested. Any other recommendation is shown as text. */
  recommendation?: string | undefined;
  /** Deadline for the answer in epoch milliseconds, 10 seconds to 366 days from now. */
  expiresAt?: number | undefined;
  /** The ID of the option recorded as the app's own answer if no one answers before `expiresAt`. Also requires the scope `approvals:resolve`. */
  defaultOptionId?: string | undefined;
  /** Whether only the owner may answer. If `true`, no app can answer, even with `approvals:resolve`. */
  ownerOnly?: boolean | undefined;
  /** The risk of the decision, which cannot be changed later. The owner answers a question with `high` risk in two steps or by press and hold, never in a batch. */
  risk?: "low" | "normal" | "high" | undefined;
  /** Two digits that the app shows to the person who started the action. The owner picks this number from three before answering, which proves that the owner sees the app. Requires `risk: high`. Responses and the content hash do not include the number. */
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
  type: "approval.submitted" | "approval.resolved" | "approval.deadline_passed" | "approval.question_asked" | "notification.pushed" | "integration.status_changed" | "grant.changed" | (string & {});
  /** Epoch milliseconds. */
  createdAt: number;
  /** By type. approval.submitted: `id`. approval.resolved: `id`, `resolution`, `contentHash`. approval.deadline_passed: `id`, `expiresAt`. approval.question_asked: `id`, `question`. notification.pushed: `id`, `title`, `type`. integration.status_changed: `id`, `provider`, `status`, `was`. grant.changed: `scopes`, `added`, `removed` (`added` and `removed` are empty if the shared accounts changed). */
  data: Record<string, unknown>;
};

export type EventPage = {
  /** The ID of the events' owner. Webhooks have the same ID in `sub`. */
  owner: string;
  /** The events, oldest first. */
  data: Event[];
  /** Cursor for the next page, always present. Send the cursor as `after`. */
  nextCursor: string;
};

export type Integration = {
  /** Identifier of the integration. */
  id: string;
  /** Name of the provider of the linked account. */
  provider: string;
  /** Status of the integration. `connected`: the account works. `needs_reauth`: the owner must reconnect the account and has been notified. The id stays the same. `error`: the service is retrying. `disconnected`: the owner removed the account, which stays listed for 30 days. */
  status: "connected" | "needs_reauth" | "error" | "disconnected" | (string & {});
  /** Address of the linked account. */
  email: string;
  /** Types of data the owner granted access to, as confirmed by the provider, sorted. `identity` is always included. Does not distinguish reading from writing. */
  buckets: ("identity" | "mail" | "calendar" | "contacts" | "files" | "tasks" | (string & {}))[];
};

export type IntegrationList = {
  /** All shared accounts. */
  data: Integration[];
};

export type Notification = {
  /** Identifier of the notification. */
  _id: string;
  /** Epoch milliseconds. */
  _creationTime: number;
  /** Title. */
  title: string;
  /** Text of the notification. */
  body: string;
  /** A free-form category label. */
  type: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** The object attached by the app. */
  data: Record<string, unknown>;
};

export type NotificationPage = {
  /** One page of results. */
  data: Notification[];
  /** Cursor for the next page. Send the cursor as `cursor`. Absent on the last page. */
  nextCursor?: string | undefined;
};

export type NotificationRequest = {
  /** One line that summarizes the notification. */
  title: string;
  /** Text of the notification; empty by default. */
  body?: string | undefined;
  /** A free-form category label; `general` by default. */
  type?: string | undefined;
  /** Free-form object, at most 16 KiB and 8 levels deep, returned unchanged. Empty by default. Integers must fit in 53 bits. The field `inbox` sets how the owner sees the notification: `url` (https), `priority` (low, normal, high, urgent), `dedupeKey` (a newer notification with the same key replaces the older notification), `expiresAt` (epoch milliseconds), `format` (plain, markdown). Unknown fields of `inbox` are ignored. */
  data?: Record<string, unknown> | undefined;
};

/** An answer with one of the options. */
export type OptionAnswer = {
  /** `option`: choose an option. `other`: answer in free text. */
  kind: "option";
  /** The chosen option's `id`; required with kind `option`. */
  optionId: string;
  /** Free text added to the answer. */
  note?: string | undefined;
};

/** An answer in free text. */
export type OtherAnswer = {
  /** `option`: choose an option. `other`: answer in free text. */
  kind: "other";
  /** Free text; required with kind `other`. */
  otherText: string;
  /** Free text added to the answer. */
  note?: string | undefined;
};

export type Outcome = {
  /** `started` while in progress; `done` or `failed` when finished. */
  status: "started" | "done" | "failed" | (string & {});
  /** Description of the outcome, in the app's words. */
  text?: string | undefined;
  /** A link to the result. */
  link?: string | undefined;
  /** Epoch milliseconds. */
  reportedAt: number;
};

export type OutcomeRequest = {
  /** `started` while in progress; `done` or `failed` when finished. */
  status: "started" | "done" | "failed";
  /** Description of the outcome, for the owner. */
  text?: string | undefined;
  /** The https address of the result. The owner sees the address's host. */
  link?: string | undefined;
};

export type PushedNotification = {
  /** Identifier of the notification. */
  id: string;
};

export type Resolution = {
  /** `option`: one of the options. `other`: free text. */
  kind: "option" | "other";
  /** The chosen option's `id`; present when `kind` is `option`. */
  optionId?: string | undefined;
  /** Free-text answer; present when `kind` is `other`. */
  otherText?: string | undefined;
  /** Free text added to the answer. */
  note?: string | undefined;
  /** `owner` if the owner answered while signed in, or from an email link or an alert. `api` if an app answered. */
  resolvedBy: "owner" | "api";
  /** Epoch milliseconds. */
  resolvedAt: number;
};

export type Said = {
  /** Text of the addition. */
  text: string;
  /** Epoch milliseconds. */
  createdAt: number;
};

export type SignedReceipt = {
  /** A compact JWS. Its claims: `iss`, `aud` (the clientId), `owner` (the owner's ID), `sub` (the approval), `iat`, `contentHash`, `resolution`; `simulated` if no owner answered. */
  receipt: string;
};

/** The approval's `id`. With `wait`, also the approval when the wait ends. */
export type SubmittedApproval = Partial<Omit<Approval, "_id">> & {
  /** Identifier of the approval. */
  id: string;
};

/** The approval when the wait ends. */
export type WaitedApproval = Omit<Approval, "_id"> & {
  /** Identifier of the approval. */
  id: string;
};

/** What each operation takes, in path, query and body together, and what it gives. */
export type Operations = {
  addToApproval: {
    takes: {
      /** Identifier of the approval. */
      id: string;
    } & AdditionRequest;
    gives: Added;
  };
  getApproval: {
    takes: {
      /** Identifier of the approval. */
      id: string;
      /** Seconds to wait for the answer. */
      wait?: number | undefined;
    };
    gives: Approval;
  };
  getNotification: {
    takes: {
      /** Identifier of the notification. */
      id: string;
    };
    gives: Notification;
  };
  getReceipt: {
    takes: {
      /** Identifier of the approval. */
      id: string;
    };
    gives: SignedReceipt;
  };
  listApprovals: {
    takes: {
      /** Return only approvals with this status. By default, return all approvals. */
      status?: "pending" | "resolved" | undefined;
      /** Maximum number of results, 1 to 200. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    gives: ApprovalPage;
  };
  listEvents: {
    takes: {
      /** Start after this event `id` or `nextCursor`. By default, start at the oldest event. */
      after?: string | undefined;
      /** Maximum number of results, 1 to 100. */
      limit?: number | undefined;
      /** Seconds to wait if there are no events to read. */
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
      /** Return only notifications of this type. */
      type?: string | undefined;
      /** Maximum number of results, 1 to 200. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page. */
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
      /** Identifier of the approval. */
      id: string;
    } & OutcomeRequest;
    gives: Done;
  };
  resolveApproval: {
    takes: {
      /** Identifier of the approval. */
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
};
