/**
 * Returns JSON text in the canonical form of RFC 8785, so that its hash is the same everywhere.
 * @throws {TypeError} for values that JSON cannot hold: a number that is not finite, an unpaired
 *   surrogate
 */
declare function canonicalJson(value: unknown): string;

/** A field's label and hint. By default, the label is the field's name. */
type Named = {
    title?: string | undefined;
    description?: string | undefined;
};
type Titled = {
    const: string;
    title: string;
};
type Verdict = "approve" | "reject";
/** An amount with exactly its currency's decimals, like `{amount: "86.40", currency: "EUR"}`. */
type Money = {
    amount: string;
    currency: string;
};
/** The schema of one field. `docs/fields.md` lists the limits of each kind. */
type Field = Named & ({
    type: "string";
    enum?: string[] | undefined;
    oneOf?: Titled[] | undefined;
    minLength?: number | undefined;
    maxLength?: number | undefined;
    format?: "email" | "uri" | "date" | "time" | "date-time" | undefined;
    default?: string | undefined;
} | {
    type: "number" | "integer";
    minimum?: number | undefined;
    maximum?: number | undefined;
    default?: number | undefined;
} | {
    type: "boolean";
    default?: boolean | undefined;
} | {
    type: "array";
    items: {
        type: "string";
        enum: string[];
    } | {
        anyOf: Titled[];
    };
    minItems?: number | undefined;
    maxItems?: number | undefined;
    default?: string[] | undefined;
} | {
    type: "object";
    format: "money";
    currency: string;
    minimum?: string | undefined;
    maximum?: string | undefined;
    default?: Money | undefined;
} | {
    type: "object";
    format: "items";
    items: {
        id: string;
        label: string;
        note?: string | undefined;
    }[];
    default?: Record<string, Verdict> | undefined;
});
/** The fields of a question: the values that the owner fills in. */
type Fields = {
    type: "object";
    properties: Record<string, Field>;
    required?: string[] | undefined;
};
/** The value of a field. */
type FieldValue = string | number | boolean | string[] | Money | Record<string, Verdict>;
type Choice<Field> = Field extends {
    enum: readonly (infer Value extends string)[];
} ? Value : Field extends {
    oneOf: readonly {
        const: infer Value extends string;
    }[];
} ? Value : Field extends {
    anyOf: readonly {
        const: infer Value extends string;
    }[];
} ? Value : string;
/** The type of a field's value. */
type ValueOf<Field> = Field extends {
    format: "money";
    currency: infer Currency extends string;
} ? {
    amount: string;
    currency: Currency;
} : Field extends {
    format: "items";
    items: readonly {
        id: infer Row extends string;
    }[];
} ? Record<Row, Verdict> : Field extends {
    type: "array";
    items: infer Items;
} ? Choice<Items>[] : Field extends {
    type: "boolean";
} ? boolean : Field extends {
    type: "number" | "integer";
} ? number : Choice<Field>;
type RequiredNames<Asked> = Asked extends {
    required: readonly (infer Name extends string)[];
} ? Name : never;
/**
 * The values of an answer by field name. The type follows from the question's fields if they are
 * written in the call. Only required fields always have a value.
 */
type ValuesOf<Asked extends FieldsLike> = string extends keyof Asked["properties"] ? Record<string, FieldValue> : NamedValues<Asked>;
type NamedValues<Asked extends FieldsLike> = {
    [Name in keyof Asked["properties"] as Name extends RequiredNames<Asked> ? Name : never]: ValueOf<Asked["properties"][Name]>;
} & {
    [Name in keyof Asked["properties"] as Name extends RequiredNames<Asked> ? never : Name]?: ValueOf<Asked["properties"][Name]>;
};
/** Makes the arrays of a type read-only, at every depth. */
type Frozen<T> = T extends readonly (infer Item)[] ? readonly Frozen<Item>[] : T extends object ? {
    readonly [Name in keyof T]: Frozen<T[Name]>;
} : T;
/** Fields as an argument, which may be a constant (`as const`). */
type FieldsLike = Frozen<Fields>;

type Added = {
    /** Always `true`. */
    ok: boolean;
    /** A time in epoch milliseconds. */
    createdAt: number;
};
type AdditionRequest = {
    /** Information for the owner, shown as sanitized Markdown. */
    text: string;
};
type AnswerRequest = OptionAnswer | OtherAnswer;
type AnswerSignature = {
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
type Approval = {
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
type ApprovalFact = {
    /** The name of the fact, like `Amount`. */
    label: string;
    /** The value of the fact, like `86.40 €`. */
    value: string;
};
type ApprovalFactRequest = {
    /** The name of the fact, like `Amount`. */
    label: string;
    /** The value of the fact, like `86.40 €`. */
    value: string;
};
type ApprovalOption = {
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
type ApprovalOptionRequest = {
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
type ApprovalPage = {
    /** One page of results. */
    data: Approval[];
    /** The cursor for the next page; absent on the last page. Send the value as `cursor`. */
    nextCursor?: string | undefined;
};
type ApprovalRequest = {
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
type Done = {
    /** Always `true`. */
    ok: boolean;
};
type Event = {
    /** The event's ID, which never changes. Send the ID as `after`, or in Last-Event-ID. */
    id: string;
    /** The type of the event. */
    type: "approval.submitted" | "approval.resolved" | "approval.deadline_passed" | "approval.question_asked" | "approval.withdrawn" | "notification.pushed" | "integration.status_changed" | "grant.changed" | "owner.frozen" | "owner.unfrozen" | "owner.keys_changed" | (string & {});
    /** A time in epoch milliseconds. */
    createdAt: number;
    /** The event's data, with these fields for each event type. approval.submitted: `id`. approval.resolved: `id`, `resolution`, `contentHash`. approval.deadline_passed: `id`, `expiresAt`. approval.question_asked: `id`, `question`. approval.withdrawn: `id`, `withdrawnAt`. notification.pushed: `id`, `title`, `type`. integration.status_changed: `id`, `provider`, `status`, `was`. grant.changed: `scopes`, `added`, `removed` (`added` and `removed` are empty if only the shared accounts changed). owner.frozen: `by` (`owner`, `app` or `operator`). owner.unfrozen: `frozenMs` (the duration of the freeze in milliseconds, by which the deadlines of pending approvals moved). owner.keys_changed: `credentialId`, `change` (`added` or `removed`). */
    data: Record<string, unknown>;
};
type EventPage = {
    /** The owner's ID. Webhook payloads carry the same ID in `sub`. */
    owner: string;
    /** The events, oldest first. */
    data: Event[];
    /** The cursor for the next page, always present. Send the value as `after`. */
    nextCursor: string;
};
type FreezeRequest = Record<string, never>;
type Integration = {
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
type IntegrationList = {
    /** All shared accounts. */
    data: Integration[];
};
type Notification = {
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
type NotificationPage = {
    /** One page of results. */
    data: Notification[];
    /** The cursor for the next page; absent on the last page. Send the value as `cursor`. */
    nextCursor?: string | undefined;
};
type NotificationRequest = {
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
type OptionAnswer = {
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
type OtherAnswer = {
    /** `option`: choose an option. `other`: answer in free text. */
    kind: "other";
    /** The answer in free text; required with kind `other`. */
    otherText: string;
    /** A note to add to the answer, as free text. */
    note?: string | undefined;
};
type Outcome = {
    /** `started` while the action is in progress; `done` or `failed` when it is finished. */
    status: "started" | "done" | "failed" | (string & {});
    /** A description of the outcome, in the app's words. */
    text?: string | undefined;
    /** A link to the result. */
    link?: string | undefined;
    /** A time in epoch milliseconds. */
    reportedAt: number;
};
type OutcomeRequest = {
    /** `started` while the action is in progress; `done` or `failed` when it is finished. */
    status: "started" | "done" | "failed";
    /** A description of the outcome, for the owner. */
    text?: string | undefined;
    /** The https address of the result. The owner sees only its host. */
    link?: string | undefined;
};
type OwnerKey = {
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
type OwnerKeys = {
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
type PublicKeyJwk = {
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
type PushedNotification = {
    /** The ID of the notification. */
    id: string;
};
type Resolution = {
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
type Said = {
    /** The text of the owner's question or the app's addition. */
    text: string;
    /** A time in epoch milliseconds. */
    createdAt: number;
};
type SignedReceipt = {
    /** A compact JWS with the claims `iss`, `aud` (the client ID), `owner` (the owner's ID), `sub` (the approval's ID), `iat`, `contentHash` and `resolution`. The claim `once` is present if the owner can withdraw the answer until it is used, and `simulated` if the answer is simulated. */
    receipt: string;
};
/** The approval's `id`. With `wait`, the whole approval at the end of the wait. */
type SubmittedApproval = Partial<Omit<Approval, "_id">> & {
    /** The ID of the approval. */
    id: string;
};
type Use = {
    /** When the answer was used, in epoch milliseconds. */
    usedAt: number;
    /** A compact JWS of type `countersign-use+jwt` with the claims of the approval's receipt, and `use`: `at` (epoch milliseconds), `by` (`app` or `receipt`) and `key` (the SHA-256 of the Idempotency-Key in base64url). */
    receipt: string;
};
type UseRequest = {
    /** The `contentHash` of the approval, so that the answer is used only for the content that the owner saw. */
    contentHash: string;
    /** The values of the resolution, if it has some, so that the answer is used only with what the owner allowed. */
    values?: Record<string, unknown> | undefined;
};
/** The approval at the end of the wait. */
type WaitedApproval = Omit<Approval, "_id"> & {
    /** The ID of the approval. */
    id: string;
};
/** What each operation takes, in path, query and body together, and what it gives. */
type Operations = {
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

/**
 * The recorded answer to a question: the owner's, the app's own, or the default. `Values` is the
 * type of its values.
 */
type Answer<Values = Record<string, FieldValue>> = {
    /** The approval's ID. */
    id: string;
    resolution: Resolution;
    /** The ID of the chosen option. Absent for an answer in free text. */
    chosen: string | undefined;
    /** The answer in free text, if no option was chosen. */
    text: string | undefined;
    note: string | undefined;
    /** The values of the question's `fields` by name, if the chosen option takes fields. */
    values: Values | undefined;
    /**
     * `owner`: the owner answered while signed in, or from an email link or an alert. `api`: the app
     * itself answered, or the default applied after the deadline.
     */
    by: "owner" | "api";
    /**
     * Whether a simulated owner answered ("countersign simulate"). Simulated answers are for testing
     * agents.
     */
    simulated: boolean;
    /**
     * Returns whether the owner, and no one else, chose this option. Check this before you act.
     * Returns false for a simulated answer, unless the client was created with `allowSimulated`.
     */
    yes(optionId: string): boolean;
};
/**
 * An app's answer to its own question: an option or other text. `values` has the values of the
 * question's fields, which an option with `fields: true` requires.
 */
type OwnAnswer = {
    note?: string;
} & ({
    optionId: string;
    otherText?: never;
    values?: Readonly<Record<string, FieldValue>>;
} | {
    otherText: string;
    optionId?: never;
    values?: never;
});
/** The outcome of the action that the answer concerned. `link` must be an https URL. */
type CameOf = {
    status: "started" | "done" | "failed";
    text?: string;
    link?: string;
};
/**
 * Converts a resolution to an answer.
 * @param allowSimulated whether `yes` accepts a simulated answer
 */
declare function asAnswer(id: string, resolution: Resolution, allowSimulated?: boolean): Answer;
/** Returns whether an answer's note has the prefix of simulated answers. */
declare const isSimulated: (note: string | undefined) => boolean;
/**
 * Returns whether the owner chose this option, with exactly these values.
 * @param values all values of the intended action by field name; any values count without `values`
 */
declare const choseOption: ({ resolvedBy, kind, optionId, values: chosen }: Resolution, wanted: string, values?: Readonly<Record<string, unknown>>) => boolean;

/**
 * The problem with one field of a request. `reason` is a code for programs, such as `used`, or
 * `frozen` if the owner froze the app. It may come with further facts.
 */
type Detail = {
    path: string;
    message: string;
    reason?: string;
    [fact: string]: unknown;
};
/** Thrown if the service rejected the request or was unreachable until the timeout. */
declare class CountersignError extends Error {
    /** The response's HTTP status, or 0 if there was no response. */
    readonly status: number;
    /** Each invalid field for a 400, or the problem with the token for a 401 or 403. */
    readonly details: readonly Detail[];
    /** The request's ID. Include it when you report a problem. */
    readonly requestId: string | undefined;
    constructor(message: string, 
    /** The response's HTTP status, or 0 if there was no response. */
    status: number, 
    /** Each invalid field for a 400, or the problem with the token for a 401 or 403. */
    details?: readonly Detail[], 
    /** The request's ID. Include it when you report a problem. */
    requestId?: string | undefined, options?: ErrorOptions);
}
/**
 * Returns the error for a request without a response. Its message names the service's address and
 * the innermost cause that has a message.
 */
declare function unreachable(url: URL, cause: unknown): CountersignError;
/**
 * Thrown if no answer arrived in time. After the caller's timeout, the question is still pending.
 * After the question's deadline, no one can answer it.
 */
declare class NoAnswerError extends Error {
    /** The approval's ID. Absent if the question could not be asked. */
    readonly id: string | undefined;
    /** Whether the deadline has passed, so that no one can answer. */
    readonly deadlinePassed: boolean;
    constructor(
    /** The approval's ID. Absent if the question could not be asked. */
    id: string | undefined, 
    /** Whether the deadline has passed, so that no one can answer. */
    deadlinePassed?: boolean);
}
/** Thrown if a receipt or webhook fails verification. */
declare class VerificationError extends Error {
    constructor(message: string);
}

type Connection = {
    /** The service's URL, like `https://yes.example.com`. */
    baseUrl: string;
    /**
     * An access token or a personal token, or a function that returns one. After the service rejects
     * a token, the function is called with the rejected token and returns a new one, as
     * `refreshingToken` does.
     */
    token: string | ((refused?: string) => string | Promise<string>);
    /** A replacement for the runtime's own `fetch`. */
    fetch?: typeof globalThis.fetch;
    /**
     * How long the client retries a call while the service is unavailable, in milliseconds. One
     * minute by default.
     */
    patienceMs?: number;
    /** Called before the pause that precedes each retry. Use it to log retries, for example. */
    onRetry?: (retry: Retry) => void;
    /**
     * Whether `answer.yes` and the gates accept simulated answers (`countersign simulate`). For tests
     * only. The default is true if the environment has `COUNTERSIGN_ALLOW_SIMULATED=1`, and false
     * otherwise.
     */
    allowSimulated?: boolean;
};
/** A failed attempt that will be retried. */
type Retry = {
    /** The number of the failed attempt, from 1. */
    attempt: number;
    /** How long the client waits before the next attempt, in milliseconds. */
    delayMs: number;
    /**
     * The reason for the failure. If the service is unreachable, the message names its address and
     * the cause.
     */
    reason: CountersignError;
};
/**
 * The options of a connection. `baseUrl` and `token` default to `COUNTERSIGN_URL` and
 * `COUNTERSIGN_TOKEN` from the environment in Node.js, Deno and Bun.
 */
type ConnectionOptions = Omit<Connection, "baseUrl" | "token"> & {
    [Name in "baseUrl" | "token"]?: Connection[Name] | undefined;
};
/**
 * Completes a connection's options from the environment.
 * @throws {TypeError} naming a value that is neither passed nor in the environment
 */
declare function connectionOf(given: ConnectionOptions): Connection;

/** A call's option: `signal` stops the call. */
type Stop = {
    signal?: AbortSignal | undefined;
};
/**
 * `key` makes the call idempotent. If the call is repeated with the same key within 24 hours, even
 * by a restarted program, it has no further effect.
 */
type Once = Stop & {
    key?: string;
};
type Call = {
    method: "GET" | "POST";
    path: string;
    query?: Record<string, string | number | undefined>;
    body?: unknown;
    /** The idempotency key, which makes a retry safe. Without it, the client retries only reads. */
    key?: string;
    /** Seconds that the service may take to respond, in addition to the default. */
    waits?: number;
    signal?: AbortSignal | undefined;
    /**
     * When to stop retrying, on the clock of `performance.now()`. The default is `patienceMs` from
     * now. Infinity means never.
     */
    until?: number;
};
/**
 * Makes calls, and retries them while the service is unavailable. Retries only reads and calls with
 * a key, because repeating another call could repeat its effect.
 */
declare class Calls {
    readonly connection: Connection;
    constructor(connection: Connection);
    /**
     * Makes a call, and parses the JSON response.
     * @throws {CountersignError} if the service rejects the call or does not respond
     * @throws the signal's reason once the signal is aborted
     */
    json<T>(call: Call): Promise<{
        value: T;
        headers: Headers;
    }>;
    private attempt;
}
/**
 * Sleeps.
 * @throws the signal's reason if the signal aborts during the sleep
 */
declare const pause: (ms: number, signal?: AbortSignal) => Promise<void>;

/** A question, and how to ask it. */
type AskRequest = ApprovalRequest & {
    /**
     * Identifies the question. Within 24 hours, asking again with the same key does not ask the owner
     * twice, even if the program has restarted. By default, each call has a random key.
     */
    key?: string;
    /** Aborts the wait. The owner can still answer the question. */
    signal?: AbortSignal;
    /** How long to wait for the answer, in milliseconds; indefinitely by default. */
    timeoutMs?: number;
    /**
     * Receives the approval's ID as soon as it is known. A program that may be stopped can save the
     * ID, and wait for the answer after a restart.
     */
    onAsked?: (id: string) => void;
    /**
     * Receives the owner's question and may return a reply, which is added to the approval. The wait
     * continues with or without a reply.
     */
    onQuestion?: (question: string, id: string) => string | undefined | Promise<string | undefined>;
};
type WaitOptions = {
    until: number;
} & Pick<AskRequest, "signal" | "onQuestion">;
/**
 * Asks the owner and waits for the answer. Retries after restarts of the service, broken
 * connections and temporary errors.
 * @throws {NoAnswerError} after `timeoutMs` or the deadline; {CountersignError}; the signal's
 *   reason
 */
declare function ask(calls: Calls, question: AskRequest): Promise<Answer>;
type ApprovalReply = {
    value: Partial<Approval>;
    headers: Headers;
};
/**
 * Waits for the answer to a question.
 * @param first the approval, if already read
 * @throws {NoAnswerError} after `until` or the deadline; {CountersignError}
 */
declare function waitFor(calls: Calls, id: string, how: WaitOptions, first?: ApprovalReply): Promise<Answer>;
/** Adds text to a pending question. The text appears below the question. */
declare function addContext(calls: Calls, id: string, text: string, signal?: AbortSignal): Promise<void>;
/**
 * Returns an approval's path.
 * @throws {TypeError} if there is no ID
 */
declare const approvalAt: (id: string) => string;
/**
 * Encodes an ID as a path segment. Untyped programs may pass `undefined`, which would request a
 * record called "undefined".
 * @throws {TypeError} if there is no ID
 */
declare function segment(id: string, what: string): string;

/**
 * The content of an approval that its `contentHash` covers. You can pass an approval from the API
 * unchanged.
 */
type Content = {
    question: string;
    facts?: readonly {
        label: string;
        value: string;
    }[] | undefined;
    fields?: object | undefined;
    options: readonly {
        id: string;
        label: string;
        note?: string | undefined;
        style?: string | undefined;
        fields?: boolean | undefined;
    }[];
    backgroundContext?: string | undefined;
    recommendation?: string | undefined;
    expiresAt?: number | undefined;
    defaultOptionId?: string | undefined;
    ownerOnly?: boolean | undefined;
    once?: boolean | undefined;
    risk?: string | undefined;
    signedByOwner?: boolean | string | undefined;
    /** The app's additions, oldest first. */
    additions?: readonly {
        text: string;
        createdAt: number;
    }[] | undefined;
};
/**
 * Returns the hash of a question, equal to the service's `contentHash`: the SHA-256 of the
 * question's present fields as JSON in the form of RFC 8785.
 * @returns `sha256:` and 64 lower-case hex digits
 */
declare function contentHash(content: Content): Promise<string>;
/** Returns the hash of a text in UTF-8: `sha256:` and 64 lower-case hex digits. */
declare function hashOf(text: string): Promise<string>;
declare const sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * A list of pages. `await` gets one page, and iteration gets the items of this page and of all
 * following pages.
 */
type PagedList<Page extends {
    data: readonly unknown[];
}> = Promise<Page> & AsyncIterable<Page["data"][number]>;
/**
 * Returns a list, and immediately reads its first page.
 * @param read reads the page at a cursor, or the first page if there is no cursor
 */
declare function listing<Page extends {
    data: readonly unknown[];
    nextCursor?: string | undefined;
}>(read: (cursor?: string) => Promise<Page>): PagedList<Page>;

/** Decodes base64. Returns undefined if the text is invalid. */
declare function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined;
/**
 * Decodes base64url without padding. Returns undefined if the text is invalid or not in canonical
 * form.
 */
declare function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined;
declare const toBase64Url: (bytes: Uint8Array) => string;

/** The expected JavaScript type of each check, with its article: `a string`, `an array`. */
type CheckTypes = Readonly<Record<string, `a ${string}` | `an ${string}`>>;
/**
 * Rejects missing, unknown and wrongly typed checks. Untyped programs may misspell names, and
 * skipping an unknown check would weaken the verification.
 * @param what what the checks are for, like `receipt`
 * @param required the names of the checks that must be present
 * @throws {TypeError} that names the check
 */
declare function requireChecks(what: string, checks: object, types: CheckTypes, required: readonly string[]): void;
/** Rejects checks that have none of these names. @throws {TypeError} that lists the names */
declare function requireOneOf(checks: object, names: readonly string[]): void;

/** A public key of the service. Times are in epoch seconds. */
type ReceiptKey = JsonWebKey & {
    kid?: string;
    /** When the key was created. */
    nbf?: number;
    /** The end of the time in which the key may sign. Absent while no end is planned. */
    exp?: number;
    /** Present if the operator revoked the key, because others may have had it since `revoked_at`. */
    revoked?: {
        revoked_at?: number;
        reason?: string;
    };
};
/** The service's public keys. `revoked_keys` has the keys that others may have. */
type Jwks = {
    keys: readonly ReceiptKey[];
    revoked_keys?: readonly ReceiptKey[];
};
/**
 * Finds the key that signed a receipt.
 * @param receivedAt the verifier's own record of when it received the receipt, in epoch
 *   milliseconds
 * @throws {VerificationError} if the service does not publish the key, or revoked it before the
 *   verifier received the receipt
 */
declare function findKey(jwks: Jwks, kid: unknown, receivedAt: number | undefined): ReceiptKey;
/**
 * Checks that a receipt's times are possible for its key.
 * @param iat when the approval was resolved, in epoch seconds. It may precede the key, because the
 *   service signs a receipt whenever it is read.
 * @param receivedAt as for `findKey`
 * @throws {VerificationError} if they are not possible
 */
declare function checkTimes({ nbf, exp }: ReceiptKey, iat: unknown, receivedAt: number | undefined): void;

/** The claims of a receipt: which app asked which question, and who gave which answer. */
type Receipt = {
    /** The URL of the service that signed the receipt. */
    iss: string;
    /** The client ID of the app that asked. */
    aud: string;
    /**
     * The ID of the owner that the app asked. Absent in receipts from versions that did not name
     * owners.
     */
    owner?: string;
    /** The approval's ID. */
    sub: string;
    /** When the approval was resolved, in epoch seconds. */
    iat: number;
    contentHash: string;
    /** The answer. If a passkey signed the answer, pass `resolution` to `verifySignedAnswer`. */
    resolution: Resolution;
    [claim: string]: unknown;
};
/** A receipt that has the expected claims and a valid signature. */
type VerifiedReceipt = Receipt & {
    /**
     * Returns whether the owner, and no one else, chose this option.
     * @param values all values of the intended action, by field name; the answer must have exactly
     *   these values. Without `values`, any values count, so read them from `resolution.values`
     */
    yes(optionId: string, values?: Readonly<Record<string, unknown>>): boolean;
};
/** The expected claims. Either the approval's ID or the content of the question is required. */
type ReceiptChecks = {
    /** The service's URL, exactly as in the receipt. */
    issuer: string;
    /**
     * The service's public keys. By default, they are fetched from `jwksUrl` or the standard
     * location.
     */
    jwks?: Jwks;
    jwksUrl?: string;
    /** The client ID of the app that asked. */
    audience: string;
    /**
     * The ID of the owner whose answer counts. It is `owner` in the token response, and `sub` in
     * introspection and webhooks.
     */
    owner: string;
    /**
     * The approval's ID from the verifier's own records. Don't take it from the agent, which could
     * present any ID.
     */
    approvalId?: string;
    /**
     * The content of the question about the intended action: the approval as submitted, or its hash.
     */
    content?: Content;
    contentHash?: string;
    /**
     * Whether to accept receipts from versions that did not name the owner. Such receipts do not
     * prove who answered. A newly fetched receipt always names the owner.
     */
    acceptWithoutOwner?: boolean;
    /**
     * When you got the receipt, in epoch milliseconds, from your own records. Never take the time from
     * the receipt or from an agent. Pass it for a stored receipt, so that the receipt stays valid even
     * if the service later revokes its key.
     */
    receivedAt?: number;
    /** Whether to accept an answer of a simulated owner, for use in tests. */
    allowSimulated?: boolean;
    fetch?: typeof globalThis.fetch;
} & ({
    approvalId: string;
} | {
    content: Content;
} | {
    contentHash: string;
});
/**
 * Verifies a receipt with nothing but the service's public keys. A valid receipt can contain any
 * answer, so act only if `receipt.yes(optionId)` returns true. If the option takes fields, pass the
 * values of the intended action: `receipt.yes(optionId, values)` returns false for any others. If
 * the action may happen only once, call `approvals.use` first.
 * @throws {VerificationError} with the reason; {TypeError} if checks are missing, misspelled or of
 * the wrong type
 */
declare function verifyReceipt(jws: string, checks: ReceiptChecks): Promise<VerifiedReceipt>;

/**
 * OAuth tokens. Each refresh replaces the refresh token. An app that loses the new refresh token
 * must ask the owner again.
 */
type Tokens = {
    refreshToken: string;
    accessToken?: string | undefined;
};
type RefreshOptions = Tokens & {
    /** The service's URL. */
    baseUrl: string;
    clientId: string;
    /** The client secret, for apps that have one. */
    clientSecret?: string;
    /**
     * Saves the new tokens for the next start. The client uses them only after this callback has
     * finished.
     */
    save: (tokens: Required<Tokens>) => void | Promise<void>;
    fetch?: typeof globalThis.fetch;
};
/**
 * Returns a function for the client's `token`: `new Countersign({ baseUrl, token: refreshingToken({
 * … }) })`. It returns the access token, and first requests new tokens if there is none or the
 * service has rejected it.
 * @throws {CountersignError} for example after the owner revoked access
 */
declare function refreshingToken(given: RefreshOptions): (refused?: string) => Promise<string>;

/** What an assertion must have been made for. `origins` are the allowed ones. */
type ExpectedAssertion = {
    challenge: Uint8Array;
    origins: readonly string[];
    rpId: string;
    publicKey: PublicKeyJwk;
};
/**
 * Verifies an assertion with user presence and user verification.
 * @returns the signature counter, and whether the passkey can be synced to other devices
 * @throws {VerificationError} with the reason
 */
declare function verifyAssertion(assertion: Pick<AnswerSignature, "authenticatorData" | "clientDataJSON" | "signature">, { challenge, origins, rpId, publicKey }: ExpectedAssertion): Promise<{
    counter: number;
    synced: boolean;
}>;

/** One question and its answer in a statement. Hashes are `sha256:` and 64 hex digits. */
type Entry = {
    approval: string;
    contentHash: string;
    option?: string;
    textHash?: string;
    values?: Record<string, unknown>;
    noteHash?: string;
};
type Statement = {
    answers: Entry[];
    app: string;
    issuer: string;
    /** When the service offered the statement for signing, in epoch milliseconds. */
    offeredAt: number;
    owner: string;
    type: string;
    version: number;
};
/** Parses a statement of version 1. @throws {VerificationError} if it is not one */
declare function parseStatement(text: string): Statement;
/**
 * Checks that a statement has one entry for the approval, and that the entry has the content and
 * exactly this answer.
 * @throws {VerificationError} with the difference
 */
declare function checkEntry({ answers }: Statement, resolution: Resolution, expected: {
    approvalId: string;
    contentHash: string;
}): Promise<void>;

/** The expected values, all from the verifier's own records. Never take them from the answer. */
type SignedAnswerChecks = {
    /** The service's URL, exactly as in the statement. */
    issuer: string;
    /** The ID of the owner whose answer counts. */
    owner: string;
    /** The client ID of the app that asked. */
    app: string;
    /** The ID of the approval that the verifier waits for. */
    approvalId: string;
    /** The owner's passkeys that the verifier pinned: `keys` of `ownerKeys`. */
    keys: readonly OwnerKey[];
    /** The content of the question about the intended action: the approval as submitted, or its hash. */
    content?: Content;
    contentHash?: string;
    /** The RP ID of the passkeys. The host of `issuer` by default. */
    rpId?: string;
    /** The origins of the pages on which the owner may sign. The origin of `issuer` by default. */
    origins?: readonly string[];
    /**
     * When you asked the question, in epoch milliseconds, from your own records. A passkey that was
     * added later is rejected, because the operator of the service may have added it.
     */
    askedAt?: number;
    /** Whether to accept passkeys that were added after the question, or without `askedAt`. */
    acceptNewKeys?: boolean;
    /**
     * The last counter that you stored for this passkey. After a counter above 0, only a higher one is
     * accepted, because a copy of the passkey may have signed. Most synced passkeys always have 0.
     */
    lastCounter?: number;
} & ({
    content: Content;
} | {
    contentHash: string;
}) & ({
    askedAt: number;
} | {
    acceptNewKeys: true;
});
/** An answer that the owner's passkey signed. */
type SignedAnswer = {
    /** The ID of the passkey that signed. */
    credentialId: string;
    /** Whether the passkey can be synced to other devices of the owner. */
    synced: boolean;
    /** The passkey's signature counter. Store it as the next `lastCounter`. */
    counter: number;
    /** When the service offered the statement for signing, in epoch milliseconds. */
    offeredAt: number;
    /**
     * Returns whether the owner chose this option.
     * @param values all values of the intended action, by field name; the answer must have exactly
     *   these values. Without `values`, any values count
     */
    yes(optionId: string, values?: Readonly<Record<string, unknown>>): boolean;
};
/**
 * Verifies that the owner's passkey signed exactly this answer, with nothing but the owner's pinned
 * keys. It needs no network. A valid signature can be of any answer, so act only if
 * `signed.yes(optionId)` returns true. If the option takes fields, pass the values of the intended
 * action. If the action may happen only once, call `approvals.use` first.
 * @param resolution the answer from a receipt, an approval or a webhook
 * @throws {VerificationError} with the reason; {TypeError} if checks are missing, misspelled or of
 * the wrong type
 */
declare function verifySignedAnswer(resolution: Resolution, checks: SignedAnswerChecks): Promise<SignedAnswer>;

type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
type WebhookChecks = {
    /**
     * Maximum difference between the webhook's time and the receiver's, in seconds, which limits
     * replays. Five minutes by default.
     */
    toleranceSeconds?: number;
    /** The receiver's time, in epoch milliseconds; the current time by default. */
    now?: number;
};
/**
 * Verifies a webhook (Standard Webhooks 1.0) and returns its event.
 * @param body exactly as received, not parsed and serialized again
 * @param secret `whsec_…`; several during a rotation
 * @throws {VerificationError} with the reason; respond to the webhook with 400
 */
declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[], { toleranceSeconds, now }?: WebhookChecks): Promise<Event>;

type Takes<Id extends keyof Operations> = Omit<Operations[Id]["takes"], "wait" | "id">;
type Gives<Id extends keyof Operations> = Operations[Id]["gives"];
/**
 * A client for a Countersign service. It asks an owner questions and waits for the answers. It is a
 * single file without dependencies, for Node.js 20 and later, Deno, Bun, browsers and workers.
 */
declare class Countersign {
    /** The service's URL and the settings for connecting to it. */
    readonly connection: Connection;
    private readonly calls;
    /**
     * Creates a client without sending anything.
     * @throws {TypeError} if the URL or the token is missing from both the options and the
     * environment
     */
    constructor(given?: ConnectionOptions);
    /**
     * Asks a question and waits for the answer: `if ((await client.ask(question)).yes("ship")) …`.
     * Retries after broken connections and restarts of the service, without asking twice.
     * @throws {NoAnswerError} after `timeoutMs` or the question's deadline
     * @returns the answer, whose `values` have the types of the question's `fields`
     * @throws {CountersignError} if the service rejects the question
     */
    ask: <const Asked extends FieldsLike = Fields>(question: Omit<AskRequest, "fields"> & {
        fields?: Asked | undefined;
    }) => Promise<Answer<ValuesOf<Asked>>>;
    readonly approvals: {
        /**
         * Asks a question without waiting. To wait for the answer later, in this program or another,
         * call `wait`.
         * @returns the approval's ID
         */
        create: (question: ApprovalRequest, how?: Once) => Promise<string>;
        /** Returns one approval in its current state. */
        get: (id: string, { signal }?: Stop) => Promise<Approval>;
        /**
         * Returns this app's approvals, newest first. `await` gets one page, and `for await` gets all
         * approvals.
         */
        list: (filter?: Takes<"listApprovals">, { signal }?: Stop) => PagedList<Gives<"listApprovals">>;
        /**
         * Waits for the answer to an earlier question.
         * @throws {NoAnswerError} after `timeoutMs` or the question's deadline
         */
        wait: (id: string, { timeoutMs, ...how }?: Stop & Pick<AskRequest, "timeoutMs" | "onQuestion">) => Promise<Answer>;
        /**
         * Adds text to a pending question, for example after the owner asked for details. The text
         * appears below the question.
         */
        add: (id: string, text: string, { signal }?: Stop) => Promise<void>;
        /** Reports the outcome of an answer to the owner. The latest report counts. */
        report: (id: string, cameOf: CameOf, { signal }?: Stop) => Promise<void>;
        /**
         * Returns the signed receipt of an answer, as the text of a compact JWS. `verifyReceipt` can
         * verify it anywhere.
         */
        receipt: (id: string, { signal }?: Stop) => Promise<string>;
        /**
         * Uses the owner's answer for one action, immediately before the action. The first use wins. The
         * service repeats its reply if a retry has the same key, which is a new one by default.
         * @param contentHash the approval's `contentHash`, so that the use is for what the owner saw
         * @param how.values the resolution's values, required if it has some
         * @returns when the answer was used, and a signed receipt of the use
         * @throws {CountersignError} with `details[0].reason`: `used`, `withdrawn`, `not_owner`,
         *   `content_mismatch` or `values_mismatch`
         */
        use: (id: string, contentHash: string, { values, ...how }?: Once & {
            values?: Record<string, unknown> | undefined;
        }) => Promise<Gives<"useAnswer">>;
        /**
         * Answers the app's own question. Requires the scope `approvals:resolve`. The answer is
         * recorded as given by `api`, never by the owner.
         */
        resolve: (id: string, answer: OwnAnswer, how?: Once) => Promise<void>;
    };
    readonly notifications: {
        /** Notifies the owner of something that needs no answer. @returns the notification's ID */
        create: (notification: NotificationRequest, how?: Once) => Promise<string>;
        /** Returns one notification. */
        get: (id: string, { signal }?: Stop) => Promise<Notification>;
        /**
         * Returns this app's notifications, newest first. `await` gets one page, and `for await` gets
         * all notifications.
         */
        list: (filter?: Takes<"listNotifications">, { signal }?: Stop) => PagedList<Gives<"listNotifications">>;
    };
    readonly integrations: {
        /** Returns the linked accounts that the owner shares with this app, on one page. */
        list: ({ signal }?: Stop) => PagedList<Gives<"listIntegrations">>;
    };
    /**
     * Returns an endless stream of the events after a given event, or of all events, oldest first:
     * `for await (const event of client.events(last))`. To miss no event, save the `id` of the last
     * event that you processed, and pass it after a restart.
     */
    events(after?: string, { signal }?: Stop): AsyncGenerator<Event, void, undefined>;
    /** Returns the owner's passkeys, including removed ones. Pin them, and pass them to `verifySignedAnswer`. */
    ownerKeys: ({ signal }?: Stop) => Promise<Gives<"getOwnerKeys">>;
    /**
     * Freezes this app's access to the owner, for example after an attack. Every later call is
     * rejected with the reason `frozen` until the owner ends the freeze.
     */
    freeze({ signal }?: Stop): Promise<void>;
    private create;
    private post;
    private pages;
    private read;
}

export { Countersign, CountersignError, NoAnswerError, VerificationError, contentHash, refreshingToken, type Answer, type Approval, type ApprovalRequest, type AskRequest, type Connection, type ConnectionOptions, type Event, type FieldValue, type Fields, type Integration, type Notification, type NotificationRequest, type OwnAnswer, type OwnerKey, type PagedList, type Receipt, type ReceiptChecks, type RefreshOptions, type Resolution, type Retry, type SignedAnswer, type SignedAnswerChecks, type Tokens, type ValuesOf, type VerifiedReceipt, verifyReceipt, verifySignedAnswer, verifyWebhook };
