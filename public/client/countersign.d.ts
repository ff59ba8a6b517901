type Added = {
    /** Always true. */
    ok: boolean;
    /** Epoch milliseconds. */
    createdAt: number;
};
type AdditionRequest = {
    /** What the owner should also know; shown as safe Markdown. */
    text: string;
};
type AnswerRequest = OptionAnswer | OtherAnswer;
type Approval = {
    /** Identifier of the approval. */
    _id: string;
    /** Epoch milliseconds. */
    _creationTime: number;
    /** The app that submitted the approval. */
    clientId: string;
    /** The decision the owner must make. */
    question: string;
    /** The choices offered to the owner. */
    options: ApprovalOption[];
    /** Context to help the owner decide. */
    backgroundContext?: string | undefined;
    /** What the app recommends. */
    recommendation?: string | undefined;
    /** Deadline for the answer, epoch milliseconds. */
    expiresAt?: number | undefined;
    /** The option recorded if nobody answers in time. */
    defaultOptionId?: string | undefined;
    /** Present, and true, where only the owner may answer. */
    ownerOnly?: boolean | undefined;
    /** How risky the app says the decision is. */
    risk?: "low" | "normal" | "high" | (string & {}) | undefined;
    /** Present, and true, once the deadline of a pending approval has passed: nobody can answer it any more. */
    deadlinePassed?: boolean | undefined;
    /** `sha256:` and the SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of what was asked. */
    contentHash: string;
    /** `pending` until it is answered, then `resolved` for good. */
    status: "pending" | "resolved";
    /** Present once the approval is resolved. */
    resolution?: Resolution | undefined;
    /** What the app added while it was pending, oldest first. */
    additions?: Said[] | undefined;
    /** What the owner asked back before deciding, oldest first. */
    questions?: Said[] | undefined;
    /** The latest outcome that the app reported. */
    outcome?: Outcome | undefined;
};
type ApprovalOption = {
    /** Stable identifier of the option; returned in the resolution as `optionId`. */
    id: string;
    /** Human-readable label shown to the owner. */
    label: string;
    /** Optional detail shown beneath the label. */
    note?: string | undefined;
    /** `danger` marks the option with a warning, and shows it after the others where it would be the first. */
    style?: "default" | "danger" | (string & {}) | undefined;
};
type ApprovalOptionRequest = {
    /** Stable identifier of the option; returned in the resolution as `optionId`. */
    id: string;
    /** Human-readable label shown to the owner. */
    label: string;
    /** Optional detail shown beneath the label. */
    note?: string | undefined;
    /** `danger` marks the option with a warning, and shows it after the others where it would be the first. */
    style?: "default" | "danger" | undefined;
};
type ApprovalPage = {
    /** One page of results. */
    data: Approval[];
    /** Send it as `cursor` for the next page; absent on the last one. */
    nextCursor?: string | undefined;
};
type ApprovalRequest = {
    /** The decision the owner must make. */
    question: string;
    /** 1 to 20 choices. Ids must be unique ignoring case, and labels must not look alike. */
    options: ApprovalOptionRequest[];
    /** Context to help the owner decide; shown as safe Markdown. */
    backgroundContext?: string | undefined;
    /** If it equals an option's id or label, that option is marked as suggested; otherwise it is shown as text. */
    recommendation?: string | undefined;
    /** Deadline for the answer, epoch milliseconds: 10 seconds to 366 days from now. */
    expiresAt?: number | undefined;
    /** The option recorded, as the app's own answer, if nobody answers before `expiresAt`. Needs `approvals:resolve` as well. */
    defaultOptionId?: string | undefined;
    /** Whether only the owner may answer. No app can then, whatever its scopes. */
    ownerOnly?: boolean | undefined;
    /** How risky the decision is; it cannot be changed afterwards. The owner sees `high` marked, answers it in two steps or by holding, and never together with others. */
    risk?: "low" | "normal" | "high" | undefined;
};
/** It is done. */
type Done = {
    /** Always true. */
    ok: boolean;
};
type Event = {
    /** Stable for each event. Send it as `after`, or in Last-Event-ID. */
    id: string;
    /** What happened. */
    type: "approval.submitted" | "approval.resolved" | "approval.deadline_passed" | "approval.question_asked" | "notification.pushed" | "integration.status_changed" | "grant.changed" | (string & {});
    /** Epoch milliseconds. */
    createdAt: number;
    /** By type. approval.submitted: `id`. approval.resolved: `id`, `resolution`, `contentHash`. approval.deadline_passed: `id`, `expiresAt`. approval.question_asked: `id`, `question`. notification.pushed: `id`, `title`, `type`. integration.status_changed: `id`, `provider`, `status`, `was`. grant.changed: `scopes`, `added`, `removed` (with nothing added or removed, the shared accounts changed). */
    data: Record<string, unknown>;
};
type EventPage = {
    /** The owner whose events these are, as `sub` names them in webhooks. */
    owner: string;
    /** What happened, oldest first. */
    data: Event[];
    /** Send it as `after` next time; always present. */
    nextCursor: string;
};
type Integration = {
    /** Identifier of the integration. */
    id: string;
    /** Name of the provider of the linked account. */
    provider: string;
    /** Who must act next. `connected`: no one, it works. `needs_reauth`: the owner, who has been told; the id stays the same when they reconnect it. `error`: the service, which keeps trying. `disconnected`: no one, the owner removed it; listed for 30 days. */
    status: "connected" | "needs_reauth" | "error" | "disconnected" | (string & {});
    /** Address of the linked account. */
    email: string;
    /** Kinds of data the owner granted something of, as the provider confirmed, sorted. `identity` is always included. It does not say what may be done with each. */
    buckets: ("identity" | "mail" | "calendar" | "contacts" | "files" | "tasks" | (string & {}))[];
};
type IntegrationList = {
    /** All of them. */
    data: Integration[];
};
type Notification = {
    /** Identifier of the notification. */
    _id: string;
    /** Epoch milliseconds. */
    _creationTime: number;
    /** Title. */
    title: string;
    /** Text of the notification. */
    body: string;
    /** A free category label. */
    type: string;
    /** Epoch milliseconds. */
    createdAt: number;
    /** The object the app attached. */
    data: Record<string, unknown>;
};
type NotificationPage = {
    /** One page of results. */
    data: Notification[];
    /** Send it as `cursor` for the next page; absent on the last one. */
    nextCursor?: string | undefined;
};
type NotificationRequest = {
    /** One line that says what happened. */
    title: string;
    /** Text of the notification; empty when left out. */
    body?: string | undefined;
    /** A free category label; `general` when left out. */
    type?: string | undefined;
    /** Free-form object, empty when left out; at most 16 KiB and 8 levels deep, returned unchanged. Integers must fit in 53 bits. `inbox` in it may say how the owner sees the notification: `url` (https), `priority` (low, normal, high, urgent), `dedupeKey` (a newer one with the same key replaces the older one), `expiresAt` (epoch milliseconds), `format` (plain, markdown). Unknown fields there are ignored. */
    data?: Record<string, unknown> | undefined;
};
/** One of the options. */
type OptionAnswer = {
    /** `option`: choose an option. `other`: answer in your own words. */
    kind: "option";
    /** The chosen option's `id`; required with kind `option`. */
    optionId: string;
    /** Free text beside the answer. */
    note?: string | undefined;
};
/** An answer in your own words. */
type OtherAnswer = {
    /** `option`: choose an option. `other`: answer in your own words. */
    kind: "other";
    /** Free text; required with kind `other`. */
    otherText: string;
    /** Free text beside the answer. */
    note?: string | undefined;
};
type Outcome = {
    /** `started` before it is over; `done` or `failed` once it is. */
    status: "started" | "done" | "failed" | (string & {});
    /** What happened, in the app's words. */
    text?: string | undefined;
    /** Where it can be looked at. */
    link?: string | undefined;
    /** Epoch milliseconds. */
    reportedAt: number;
};
type OutcomeRequest = {
    /** `started` before it is over; `done` or `failed` once it is. */
    status: "started" | "done" | "failed";
    /** What happened, in words for the owner. */
    text?: string | undefined;
    /** Where it can be looked at: an https address. The owner sees its host. */
    link?: string | undefined;
};
type PushedNotification = {
    /** Identifier of the notification. */
    id: string;
};
type Resolution = {
    /** `option`: one of the options. `other`: free text. */
    kind: "option" | "other";
    /** The chosen option's `id`; present when `kind` is `option`. */
    optionId?: string | undefined;
    /** Free-text answer; present when `kind` is `other`. */
    otherText?: string | undefined;
    /** Free text beside the answer. */
    note?: string | undefined;
    /** `owner` only when the owner answered: signed in, or, where they allow that, by a link e-mailed to them or a press on an alert. `api` always when an app did. */
    resolvedBy: "owner" | "api";
    /** Epoch milliseconds. */
    resolvedAt: number;
};
type Said = {
    /** What was said. */
    text: string;
    /** Epoch milliseconds. */
    createdAt: number;
};
type SignedReceipt = {
    /** A compact JWS. Its claims: `iss`, `aud` (the clientId), `owner` (whose answer it is), `sub` (the approval), `iat`, `contentHash`, `resolution`; `simulated` where no owner answered. */
    receipt: string;
};
/** The `id`; with `wait`, also the approval as it stands when the wait is over. */
type SubmittedApproval = Partial<Omit<Approval, "_id">> & {
    /** Identifier of the approval. */
    id: string;
};
/** The approval as it stands when the wait is over. */
type WaitedApproval = Omit<Approval, "_id"> & {
    /** Identifier of the approval. */
    id: string;
};
/** What each operation takes, in path, query and body together, and what it gives. */
type Operations = {
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
            /** Only approvals with this status; all when left out. */
            status?: "pending" | "resolved" | undefined;
            /** How many at most: 1 to 200. */
            limit?: number | undefined;
            /** `nextCursor` of the previous page. */
            cursor?: string | undefined;
        };
        gives: ApprovalPage;
    };
    listEvents: {
        takes: {
            /** Start after this event `id` or `nextCursor`. When left out, start at the oldest event. */
            after?: string | undefined;
            /** How many at most: 1 to 100. */
            limit?: number | undefined;
            /** Seconds to wait while there is no event to read. */
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
            /** Only notifications of this type. */
            type?: string | undefined;
            /** How many at most: 1 to 200. */
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
            /** Seconds to wait for the answer, once the approval is submitted. */
            wait?: number | undefined;
        } & ApprovalRequest;
        gives: SubmittedApproval;
    };
};

/** What became of a question. */
type Answer = {
    /** The approval's id. */
    id: string;
    resolution: Resolution;
    /** The id of the chosen option; absent where the answer is in the owner's own words. */
    chosen: string | undefined;
    /** The owner's own words, where no option was chosen. */
    text: string | undefined;
    note: string | undefined;
    /** `owner`: the owner answered, signed in or (at low risk) on an alert. `api`: the app itself, or the default of a deadline that passed. */
    by: "owner" | "api";
    /** Whether a simulated owner answered ("countersign simulate"), in tests of agents. */
    simulated: boolean;
    /**
     * Whether the owner, and nobody else, chose this option. Check it before you act. It is false for a simulated answer, unless the
     * client was created with `allowSimulated`.
     */
    yes(optionId: string): boolean;
};
/** @param allowSimulated whether `yes` accepts a simulated answer */
declare function asAnswer(id: string, resolution: Resolution, allowSimulated?: boolean): Answer;
/** How the note of every simulated answer begins. */
declare const isSimulated: (note: string | undefined) => boolean;

/** What is wrong with one field of a request. */
type Detail = {
    path: string;
    message: string;
};
/** The service refused, or could not be reached for as long as was waited. */
declare class CountersignError extends Error {
    /** HTTP status; 0 where there was no reply. */
    readonly status: number;
    /** With 400: what is wrong, field by field. With 401: what is wrong with the token. */
    readonly details: readonly Detail[];
    /** Quote it when you report a problem. */
    readonly requestId: string | undefined;
    constructor(message: string, 
    /** HTTP status; 0 where there was no reply. */
    status: number, 
    /** With 400: what is wrong, field by field. With 401: what is wrong with the token. */
    details?: readonly Detail[], 
    /** Quote it when you report a problem. */
    requestId?: string | undefined, options?: ErrorOptions);
}
/** The error for a request that got no response: it names the service's address, and the innermost cause that has a message. */
declare function unreachable(url: URL, cause: unknown): CountersignError;
/** The owner has not answered in time: in the caller's, after which the question still waits, or before its deadline. */
declare class NoAnswerError extends Error {
    /** The approval's; absent when the service could not even be asked. */
    readonly id: string | undefined;
    /** Whether it cannot be answered any more. */
    readonly deadlinePassed: boolean;
    constructor(
    /** The approval's; absent when the service could not even be asked. */
    id: string | undefined, 
    /** Whether it cannot be answered any more. */
    deadlinePassed?: boolean);
}
/** A receipt or a webhook that does not prove what it should. */
declare class VerificationError extends Error {
    constructor(message: string);
}

type Connection = {
    /** Where the service is reached, like `https://yes.example.com`. */
    baseUrl: string;
    /** An access token or a personal token. A function is asked once more with the one that was refused: see `refreshingTokenToken`. */
    token: string | ((refused?: string) => string | Promise<string>);
    /** In place of the runtime's own. */
    fetch?: typeof globalThis.fetch;
    /** How long a call is tried again while the service is away, in milliseconds; one minute unless told. */
    patienceMs?: number;
    /** Called before each pause after which a call is tried again, for example to log it. */
    onRetry?: (retry: Retry) => void;
    /**
     * Let `answer.yes` and the gates accept answers of `countersign simulate`. For tests only. Unless given, it is on where
     * `COUNTERSIGN_ALLOW_SIMULATED` is `1` in the environment, and off otherwise.
     */
    allowSimulated?: boolean;
};
/** A failed attempt that is followed by another one. */
type Retry = {
    /** Which attempt failed: 1 for the first. */
    attempt: number;
    /** How long the client waits before the next attempt, in milliseconds. */
    delayMs: number;
    /** Why it failed. The message of an unreachable service names its address and the cause. */
    reason: CountersignError;
};
/** What is not given is `COUNTERSIGN_URL` and `COUNTERSIGN_TOKEN` of the environment, in Node.js, Deno and Bun. */
type ConnectionOptions = Omit<Connection, "baseUrl" | "token"> & {
    [Name in "baseUrl" | "token"]?: Connection[Name] | undefined;
};
/** @throws {TypeError} saying what is neither given nor in the environment */
declare function connectionOf(given: ConnectionOptions): Connection;

type Call = {
    method: "GET" | "POST";
    path: string;
    query?: Record<string, string | number | undefined>;
    body?: unknown;
    /** Makes a second attempt safe: without one only reads are tried again. */
    key?: string;
    /** Seconds that the service may take before it answers, besides the usual. */
    waits?: number;
    signal?: AbortSignal | undefined;
    /** When to give up trying again, as `performance.now()` counts; for ever with Infinity. */
    until?: number;
};
/** Calls that are made again while the service is away, as long as that cannot do anything twice. */
declare class Calls {
    readonly connection: Connection;
    constructor(connection: Connection);
    /**
     * @throws {CountersignError} what the service refused, or its silence
     * @throws the signal's reason once it is aborted
     */
    json<T>(call: Call): Promise<{
        value: T;
        headers: Headers;
    }>;
    private attempt;
}
/** @throws the signal's reason when it is aborted meanwhile */
declare const pause: (ms: number, signal?: AbortSignal) => Promise<void>;

/** A question, and how to ask it. */
type AskRequest = ApprovalRequest & {
    /**
     * What makes this question one: asked again with the same key within 24 hours, by a program that was started again too, it
     * is not asked anew. Made up for each call unless told.
     */
    key?: string;
    /** Stops waiting. The question stays with the owner. */
    signal?: AbortSignal;
    /** How long to wait for the answer, in milliseconds; as long as it takes unless told. */
    timeoutMs?: number;
    /** Hears the approval's id as soon as it is known: what to keep for a program that may be ended meanwhile. */
    onAsked?: (id: string) => void;
    /** Hears what the owner wants to know first, and may give the text to tell them. Without it the question waits on. */
    onQuestion?: (question: string, id: string) => string | undefined | Promise<string | undefined>;
};
type Waiting = {
    until: number;
} & Pick<AskRequest, "signal" | "onQuestion">;
/**
 * Ask the owner and wait for the answer, over restarts of the service, broken connections and refusals that pass.
 * @throws {NoAnswerError} when `timeoutMs` is over; {CountersignError}; the signal's reason
 */
declare function ask(calls: Calls, question: AskRequest): Promise<Answer>;
type Read = {
    value: Partial<Approval>;
    headers: Headers;
};
/**
 * @param first what was read already
 * @throws {NoAnswerError} {CountersignError}
 */
declare function waitFor(calls: Calls, id: string, how: Waiting, first?: Read): Promise<Answer>;
/** Tell the owner more about a question that waits. It is shown beneath it. */
declare function addContext(calls: Calls, id: string, text: string, signal?: AbortSignal): Promise<void>;
/** @throws {TypeError} when there is no id */
declare const approvalAt: (id: string) => string;
/**
 * An id as a segment of a path. Programs without types pass `undefined`, which would ask for something called "undefined".
 * @throws {TypeError} when there is no id
 */
declare function segment(id: string, what: string): string;

/**
 * JSON text as RFC 8785 has it: one way to write each value, so that a hash of it is the same everywhere.
 * @throws {TypeError} for what JSON cannot hold: a number that is not finite, half of a surrogate pair
 */
declare function canonicalJson(value: unknown): string;

/** What an approval asks: what its `contentHash` is made of. An approval as the API gives it can be passed as it is. */
type Content = {
    question: string;
    options: readonly {
        id: string;
        label: string;
        note?: string | undefined;
        style?: string | undefined;
    }[];
    backgroundContext?: string | undefined;
    recommendation?: string | undefined;
    expiresAt?: number | undefined;
    defaultOptionId?: string | undefined;
    ownerOnly?: boolean | undefined;
    risk?: string | undefined;
    /** What the app added after the owner asked for more, oldest first. */
    additions?: readonly {
        text: string;
        createdAt: number;
    }[] | undefined;
};
/**
 * The hash of what is asked, the same that the service gives as `contentHash`: SHA-256 of its JSON as RFC 8785 writes it,
 * without what is absent.
 * @returns `sha256:` and 64 lower-case hex digits
 */
declare function contentHash(content: Content): Promise<string>;

/** One page when awaited, and whatever is on this page and all after it when iterated. */
type PagedList<Page extends {
    data: readonly unknown[];
}> = Promise<Page> & AsyncIterable<Page["data"][number]>;
/** @param read reads the page at a cursor; the first one without */
declare function listing<Page extends {
    data: readonly unknown[];
    nextCursor?: string | undefined;
}>(read: (cursor?: string) => Promise<Page>): PagedList<Page>;

/** The bytes of base64; undefined for what is not. */
declare function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined;
/** The bytes of base64url without padding; undefined for what is not, and for a second way to write the same bytes. */
declare function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined;
declare const toBase64Url: (bytes: Uint8Array) => string;

/** What a receipt says: who answered which question of which app, and how. */
type Receipt = {
    /** The service that signed it. */
    iss: string;
    /** The app that asked. */
    aud: string;
    /** The owner who answered; absent from what was signed before receipts named them. */
    owner?: string;
    /** The approval's id. */
    sub: string;
    /** When it was signed, in epoch seconds. */
    iat: number;
    contentHash: string;
    resolution: Resolution;
    [claim: string]: unknown;
};
type Jwks = {
    keys: readonly (JsonWebKey & {
        kid?: string;
    })[];
};
/** Who has to have answered whom, and what. Of the approval's id and what was asked, one has to be said. */
type ReceiptChecks = {
    /** The service's address, exactly as in the receipt. */
    issuer: string;
    /** The service's keys; fetched from `jwksUrl` where they are not given, or from their usual place. */
    jwks?: Jwks;
    jwksUrl?: string;
    /** The client id of the app that asked. */
    audience: string;
    /** The id of the owner whose answer counts: `owner` of the token reply, `sub` of introspection and webhooks. */
    owner: string;
    /** The approval that was asked, as whoever checks remembers it: an agent that brings a receipt brings any id. */
    approvalId?: string;
    /** What is about to be done was asked like this: the approval as it was submitted, or its hash. */
    content?: Content;
    contentHash?: string;
    /** Accept what was signed before receipts named the owner, and so proves nobody's answer. Fetched anew it names them. */
    acceptWithoutOwner?: boolean;
    /** Accept what a simulated owner answered, in tests. */
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
 * What a receipt proves, without asking the service anything but its public keys. It proves an answer, not which one:
 * go on only with `receipt.yes(optionId)`. An action that may happen once keeps the ids it has seen.
 * @throws {VerificationError} which says why; {TypeError} for checks that are missing, misspelt or of another type
 */
declare function verifyReceipt(jws: string, checks: ReceiptChecks): Promise<Receipt & {
    yes(optionId: string): boolean;
}>;

/** Tokens of OAuth. The refresh token is replaced by each use: who keeps the old one has to ask the owner again. */
type Tokens = {
    refreshToken: string;
    accessToken?: string | undefined;
};
type RefreshOptions = Tokens & {
    /** Where the service is reached. */
    baseUrl: string;
    clientId: string;
    /** Only of apps that have one. */
    clientSecret?: string;
    /** Keeps the new tokens where the next start finds them. Nothing is called with them before it is done. */
    save: (tokens: Required<Tokens>) => void | Promise<void>;
    fetch?: typeof globalThis.fetch;
};
/**
 * An access token that is replaced when the service refuses it: `new Countersign({ baseUrl, token: refreshingToken({ … }) })`.
 * @throws {CountersignError} when the owner has taken back what they granted, among others
 */
declare function refreshingToken(given: RefreshOptions): (refused?: string) => Promise<string>;

type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
type WebhookChecks = {
    /** How far its time may be from ours, in seconds, so that nobody sends an old one again; five minutes unless told. */
    toleranceSeconds?: number;
    /** Our time in epoch milliseconds. */
    now?: number;
};
/**
 * What a webhook tells, once it is certain that the service sent it (Standard Webhooks 1.0).
 * @param body exactly as it came: not parsed, not written anew
 * @param secret `whsec_…`; several while one is being replaced
 * @throws {VerificationError} which says why; answer 400 then
 */
declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[], { toleranceSeconds, now }?: WebhookChecks): Promise<Event>;

type Takes<Id extends keyof Operations> = Omit<Operations[Id]["takes"], "wait" | "id">;
type Gives<Id extends keyof Operations> = Operations[Id]["gives"];
type Stop = {
    signal?: AbortSignal | undefined;
};
/** `key` makes it one: sent again with the same within 24 hours, by a program that was started again too, it does nothing anew. */
type Once = Stop & {
    key?: string;
};
/** What came of an answer. `link` is an https address. */
type CameOf = {
    status: "started" | "done" | "failed";
    text?: string;
    link?: string;
};
/** How an app answers its own question: with one of its options, or in other words. */
type OwnAnswer = {
    note?: string;
} & ({
    optionId: string;
    otherText?: never;
} | {
    otherText: string;
    optionId?: never;
});
/**
 * The client of a Countersign service: it asks an owner, and waits for the answer. One file without dependencies, for Node.js 20 and
 * newer, Deno, Bun, browsers and workers.
 */
declare class Countersign {
    /** Where the service is, and how it is reached. */
    readonly connection: Connection;
    private readonly calls;
    /** @throws {TypeError} when it is told neither which service nor which app, nor is the environment; it sends nothing yet */
    constructor(given?: ConnectionOptions);
    /**
     * Ask, and wait for the answer: `if ((await client.ask(question)).yes("ship")) …`. It goes on over restarts and broken
     * connections, and never asks twice.
     * @throws {NoAnswerError} when `timeoutMs` is over
     * @throws {CountersignError} when the service refuses
     */
    ask: (question: AskRequest) => Promise<Answer>;
    readonly approvals: {
        /** Ask without waiting: `wait` waits for the answer later, here or in another program. @returns the approval's id */
        create: (question: ApprovalRequest, how?: Once) => Promise<string>;
        /** One approval as it is now. */
        get: (id: string, { signal }?: Stop) => Promise<Approval>;
        /** What this app has asked, newest first: a page, or with `for await` all of them. */
        list: (filter?: Takes<"listApprovals">, { signal }?: Stop) => PagedList<Gives<"listApprovals">>;
        /** Wait for the answer to what was asked before. @throws {NoAnswerError} */
        wait: (id: string, { timeoutMs, ...how }?: Stop & Pick<AskRequest, "timeoutMs" | "onQuestion">) => Promise<Answer>;
        /** Tell the owner more about what waits, for one thing when they asked back. It is shown beneath the question. */
        add: (id: string, text: string, { signal }?: Stop) => Promise<void>;
        /** Tell the owner what came of their answer. The latest report counts. */
        report: (id: string, cameOf: CameOf, { signal }?: Stop) => Promise<void>;
        /** The signed receipt of an answer as text, a compact JWS, which `verifyReceipt` checks anywhere. */
        receipt: (id: string, { signal }?: Stop) => Promise<string>;
        /** Answer one's own question, which needs `approvals:resolve`. It is recorded as `api`, never as the owner's. */
        resolve: (id: string, answer: OwnAnswer, how?: Once) => Promise<void>;
    };
    readonly notifications: {
        /** Tell the owner something that asks nothing of them. @returns the notification's id */
        create: (notification: NotificationRequest, how?: Once) => Promise<string>;
        /** One notification. */
        get: (id: string, { signal }?: Stop) => Promise<Notification>;
        /** What this app has told, newest first: a page, or with `for await` all of them. */
        list: (filter?: Takes<"listNotifications">, { signal }?: Stop) => PagedList<Gives<"listNotifications">>;
    };
    readonly integrations: {
        /** The linked accounts that the owner shares with this app, on one page. */
        list: ({ signal }?: Stop) => PagedList<Gives<"listIntegrations">>;
    };
    /**
     * What happens from an event on, or from the first there is, for ever: `for await (const event of client.events(last))`. Keep
     * the `id` of the last one that was dealt with, and begin after it next time: nothing is passed over.
     */
    events(after?: string, { signal }?: Stop): AsyncGenerator<Event, void, undefined>;
    private create;
    private post;
    private pages;
    private read;
}

export { Countersign, CountersignError, NoAnswerError, VerificationError, contentHash, refreshingToken, type Answer, type Approval, type ApprovalRequest, type AskRequest, type Connection, type ConnectionOptions, type Event, type Integration, type Notification, type NotificationRequest, type OwnAnswer, type PagedList, type Receipt, type ReceiptChecks, type RefreshOptions, type Resolution, type Retry, type Tokens, verifyReceipt, verifyWebhook };
