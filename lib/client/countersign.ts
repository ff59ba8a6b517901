import type { Answer, CameOf, OwnAnswer } from "./answer";
import { type AskRequest, addContext, approvalAt, ask, segment, waitFor } from "./ask";
import { type Connection, type ConnectionOptions, connectionOf, type Retry } from "./connection-options";
import { contentHash } from "./content-hash";
import { CountersignError, NoAnswerError, VerificationError } from "./errors";
import type { Fields, FieldsLike, FieldValue, ValuesOf } from "./field-types";
import { Calls, type Once, type Stop } from "./http-calls";
import { listing, type PagedList } from "./paged-list";
import { type Receipt, type ReceiptChecks, type VerifiedReceipt, verifyReceipt } from "./receipts";
import { type RefreshOptions, refreshingToken, type Tokens } from "./refreshing-token";
import { type SignedAnswer, type SignedAnswerChecks, verifySignedAnswer } from "./signed-answers";
import type {
  Approval,
  ApprovalRequest,
  Event,
  Integration,
  Notification,
  NotificationRequest,
  Operations,
  OwnerKey,
  Resolution,
} from "./types";
import { verifyWebhook } from "./webhooks";

type Takes<Id extends keyof Operations> = Omit<Operations[Id]["takes"], "wait" | "id">;
type Gives<Id extends keyof Operations> = Operations[Id]["gives"];

/**
 * A client for a Countersign service. It asks an owner questions and waits for the answers. It is a
 * single file without dependencies, for Node.js 20 and later, Deno, Bun, browsers and workers.
 */
export class Countersign {
  /** The service's URL and the settings for connecting to it. */
  readonly connection: Connection;
  private readonly calls: Calls;

  /**
   * Creates a client without sending anything.
   * @throws {TypeError} if the URL or the token is missing from both the options and the
   * environment
   */
  constructor(given: ConnectionOptions = {}) {
    this.connection = connectionOf(given);
    this.calls = new Calls(this.connection);
  }

  /**
   * Asks a question and waits for the answer: `if ((await client.ask(question)).yes("ship")) …`.
   * Retries after broken connections and restarts of the service, without asking twice.
   * @throws {NoAnswerError} after `timeoutMs` or the question's deadline
   * @returns the answer, whose `values` have the types of the question's `fields`
   * @throws {CountersignError} if the service rejects the question
   */
  ask = <const Asked extends FieldsLike = Fields>(
    question: Omit<AskRequest, "fields"> & { fields?: Asked | undefined },
  ): Promise<Answer<ValuesOf<Asked>>> =>
    ask(this.calls, question as AskRequest) as unknown as Promise<Answer<ValuesOf<Asked>>>;

  readonly approvals = {
    /**
     * Asks a question without waiting. To wait for the answer later, in this program or another,
     * call `wait`.
     * @returns the approval's ID
     */
    create: (question: ApprovalRequest, how: Once = {}): Promise<string> =>
      this.create("/api/approvals", question, how),

    /** Returns one approval in its current state. */
    get: async (id: string, { signal }: Stop = {}) => this.read<Gives<"getApproval">>(approvalAt(id), {}, signal),

    /**
     * Returns this app's approvals, newest first. `await` gets one page, and `for await` gets all
     * approvals.
     */
    list: (filter: Takes<"listApprovals"> = {}, { signal }: Stop = {}): PagedList<Gives<"listApprovals">> =>
      this.pages("/api/approvals", filter, signal),

    /**
     * Waits for the answer to an earlier question.
     * @throws {NoAnswerError} after `timeoutMs` or the question's deadline
     */
    wait: (
      id: string,
      { timeoutMs, ...how }: Stop & Pick<AskRequest, "timeoutMs" | "onQuestion"> = {},
    ): Promise<Answer> =>
      waitFor(this.calls, id, { until: performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY), ...how }),

    /**
     * Adds text to a pending question, for example after the owner asked for details. The text
     * appears below the question.
     */
    add: (id: string, text: string, { signal }: Stop = {}): Promise<void> => addContext(this.calls, id, text, signal),

    /** Reports the outcome of an answer to the owner. The latest report counts. */
    report: async (id: string, cameOf: CameOf, { signal }: Stop = {}): Promise<void> => {
      await this.post(`${approvalAt(id)}/outcome`, cameOf, { signal });
    },

    /**
     * Returns the signed receipt of an answer, as the text of a compact JWS. `verifyReceipt` can
     * verify it anywhere.
     */
    receipt: async (id: string, { signal }: Stop = {}): Promise<string> =>
      (await this.read<{ receipt: string }>(`${approvalAt(id)}/receipt`, {}, signal)).receipt,

    /**
     * Uses the owner's answer for one action, immediately before the action. The first use wins. The
     * service repeats its reply if a retry has the same key, which is a new one by default.
     * @param contentHash the approval's `contentHash`, so that the use is for what the owner saw
     * @param how.values the resolution's values, required if it has some
     * @returns when the answer was used, and a signed receipt of the use
     * @throws {CountersignError} with `details[0].reason`: `used`, `withdrawn`, `not_owner`,
     *   `content_mismatch` or `values_mismatch`
     */
    use: async (
      id: string,
      contentHash: string,
      { values, ...how }: Once & { values?: Record<string, unknown> | undefined } = {},
    ): Promise<Gives<"useAnswer">> =>
      this.post(`${approvalAt(id)}/use`, { contentHash, ...(values && { values }) }, how),

    /**
     * Answers the app's own question. Requires the scope `approvals:resolve`. The answer is
     * recorded as given by `api`, never by the owner.
     */
    resolve: async (id: string, answer: OwnAnswer, how: Once = {}): Promise<void> => {
      await this.post(`${approvalAt(id)}/resolve`, { kind: "optionId" in answer ? "option" : "other", ...answer }, how);
    },
  };

  readonly notifications = {
    /** Notifies the owner of something that needs no answer. @returns the notification's ID */
    create: (notification: NotificationRequest, how: Once = {}): Promise<string> =>
      this.create("/api/notifications", notification, how),

    /** Returns one notification. */
    get: async (id: string, { signal }: Stop = {}) =>
      this.read<Gives<"getNotification">>(`/api/notifications/${segment(id, "notification")}`, {}, signal),

    /**
     * Returns this app's notifications, newest first. `await` gets one page, and `for await` gets
     * all notifications.
     */
    list: (filter: Takes<"listNotifications"> = {}, { signal }: Stop = {}): PagedList<Gives<"listNotifications">> =>
      this.pages("/api/notifications", filter, signal),
  };

  readonly integrations = {
    /** Returns the linked accounts that the owner shares with this app, on one page. */
    list: ({ signal }: Stop = {}): PagedList<Gives<"listIntegrations">> => this.pages("/api/integrations", {}, signal),
  };

  /**
   * Returns an endless stream of the events after a given event, or of all events, oldest first:
   * `for await (const event of client.events(last))`. To miss no event, save the `id` of the last
   * event that you processed, and pass it after a restart.
   */
  async *events(after?: string, { signal }: Stop = {}): AsyncGenerator<Event, void, undefined> {
    const reading = { method: "GET", path: "/api/events", waits: 60, signal, until: Number.POSITIVE_INFINITY } as const;
    for (let cursor = after; ; ) {
      const query = { after: cursor, wait: 60 };
      const { value } = await this.calls.json<Gives<"listEvents">>({ ...reading, query });
      yield* value.data;
      cursor = value.nextCursor;
    }
  }

  /** Returns the owner's passkeys, including removed ones. Pin them, and pass them to `verifySignedAnswer`. */
  ownerKeys = ({ signal }: Stop = {}): Promise<Gives<"getOwnerKeys">> => this.read("/api/owner/keys", {}, signal);

  /**
   * Freezes this app's access to the owner, for example after an attack. Every later call is
   * rejected with the reason `frozen` until the owner ends the freeze.
   */
  async freeze({ signal }: Stop = {}): Promise<void> {
    await this.post("/api/freeze", {}, { signal }).catch((error) => {
      // A retry finds that the first attempt froze the app.
      if (!(error instanceof CountersignError && error.details.some(({ reason }) => reason === "frozen"))) throw error;
    });
  }

  private async create(path: string, body: unknown, how: Once): Promise<string> {
    return (await this.post<{ id: string }>(path, body, how)).id;
  }

  private async post<T>(path: string, body: unknown, { key, signal }: Once = {}) {
    return (await this.calls.json<T>({ method: "POST", path, body, key: key ?? crypto.randomUUID(), signal })).value;
  }

  private pages<Page extends { data: readonly unknown[]; nextCursor?: string | undefined }>(
    path: string,
    filter: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): PagedList<Page> {
    return listing((cursor) => this.read<Page>(path, { ...filter, ...(cursor && { cursor }) }, signal));
  }

  private async read<T>(path: string, query: Record<string, unknown>, signal: AbortSignal | undefined): Promise<T> {
    const values = query as Record<string, string | number | undefined>;
    return (await this.calls.json<T>({ method: "GET", path, query: values, signal })).value;
  }
}

export type {
  Answer,
  Approval,
  ApprovalRequest,
  AskRequest,
  Connection,
  ConnectionOptions,
  Event,
  Fields,
  FieldValue,
  Integration,
  Notification,
  NotificationRequest,
  OwnAnswer,
  OwnerKey,
  PagedList,
  Receipt,
  ReceiptChecks,
  RefreshOptions,
  Resolution,
  Retry,
  SignedAnswer,
  SignedAnswerChecks,
  Tokens,
  ValuesOf,
  VerifiedReceipt,
};
export {
  CountersignError,
  contentHash,
  NoAnswerError,
  refreshingToken,
  VerificationError,
  verifyReceipt,
  verifySignedAnswer,
  verifyWebhook,
};
