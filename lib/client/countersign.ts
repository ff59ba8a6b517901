import type { Answer } from "./answer";
import { type Ask, addTo, ask, waitFor } from "./asking";
import { Calls, type Connection } from "./calls";
import { contentHash } from "./content-hash";
import { CountersignError, NotAnswered, NotProven } from "./errors";
import { type Receipt, verifyReceipt } from "./receipts";
import type { Approval, ApprovalRequest, Event, NotificationRequest, Operations, Resolution } from "./types";
import { verifyWebhook } from "./webhooks";

type Takes<Id extends keyof Operations> = Without<Operations[Id]["takes"], "wait" | "id">;
/** The same of each kind, where it is one of several. */
type Without<T, Names extends string> = T extends unknown ? Omit<T, Names> : never;
type Gives<Id extends keyof Operations> = Operations[Id]["gives"];
type Stop = { signal?: AbortSignal };

/** What came of an answer. `link` is an https address. */
type CameOf = { status: "started" | "done" | "failed"; text?: string; link?: string };

/**
 * A person who is asked before something is done. One file without dependencies, for Node.js 20 and newer, Deno, Bun and
 * workers.
 */
export class Countersign {
  private readonly calls: Calls;

  constructor(connection: Connection) {
    this.calls = new Calls(connection);
  }

  /**
   * Ask, and wait for the answer: `if ((await owner.ask(question)).yes("ship")) …`. It goes on over restarts and broken
   * connections, and never asks twice.
   * @throws {NotAnswered} when `timeoutMs` is over
   * @throws {CountersignError} when the service refuses
   */
  ask = (question: Ask): Promise<Answer> => ask(this.calls, question);

  /** Tell the owner something that asks nothing of them. @returns the notification's id */
  async notify(notification: NotificationRequest, { key, signal }: Stop & { key?: string } = {}): Promise<string> {
    const { value } = await this.calls.json<Gives<"pushNotification">>({
      method: "POST",
      path: "/api/notifications",
      body: notification,
      key: key ?? crypto.randomUUID(),
      signal,
    });
    return value.id;
  }

  readonly approvals = {
    /** One approval as it is now. */
    get: (id: string, { signal }: Stop = {}) => this.read<Gives<"getApproval">>(`/api/approvals/${at(id)}`, {}, signal),

    /** What this app has asked, newest first. More is there as long as `nextCursor` is. */
    list: (filter: Takes<"listApprovals"> = {}, { signal }: Stop = {}) =>
      this.read<Gives<"listApprovals">>("/api/approvals", filter, signal),

    /** Wait for the answer to what was asked before. @throws {NotAnswered} */
    wait: (id: string, { timeoutMs, signal }: Stop & { timeoutMs?: number } = {}): Promise<Answer> =>
      waitFor(this.calls, id, { until: performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY), signal }),

    /** Tell the owner more about what waits, for one thing when they asked back. It is shown beneath the question. */
    add: (id: string, text: string, { signal }: Stop = {}): Promise<void> => addTo(this.calls, id, text, signal),

    /** Tell the owner what came of their answer. The latest report counts. */
    report: async (id: string, cameOf: CameOf, { signal }: Stop = {}): Promise<void> => {
      const path = `/api/approvals/${at(id)}/outcome`;
      await this.calls.json({ method: "POST", path, body: cameOf, key: crypto.randomUUID(), signal });
    },

    /** The signed receipt of an answer, which `verifyReceipt` checks anywhere. */
    receipt: async (id: string, { signal }: Stop = {}): Promise<string> =>
      (await this.read<{ receipt: string }>(`/api/approvals/${at(id)}/receipt`, {}, signal)).receipt,

    /** Answer one's own question, which needs `approvals:resolve`. It is recorded as `api`, never as the owner's. */
    resolve: async (id: string, answer: Takes<"resolveApproval">, { signal }: Stop = {}): Promise<void> => {
      const path = `/api/approvals/${at(id)}/resolve`;
      await this.calls.json({ method: "POST", path, body: answer, key: crypto.randomUUID(), signal });
    },
  };

  /** The linked accounts that the owner shares with this app. */
  integrations = ({ signal }: Stop = {}) => this.read<Gives<"listIntegrations">>("/api/integrations", {}, signal);

  /**
   * What happens from an event on, or from the first there is, for ever: `for await (const event of owner.events(last))`. Keep
   * the `id` of the last one that was dealt with, and begin after it next time: nothing is passed over.
   */
  async *events(after?: string, { signal }: Stop = {}): AsyncGenerator<Event, void, undefined> {
    const until = Number.POSITIVE_INFINITY;
    for (let cursor = after; ; ) {
      const query = { after: cursor, wait: 60 };
      const path = "/api/events";
      const { value } = await this.calls.json<Gives<"listEvents">>({
        method: "GET",
        path,
        query,
        waits: 60,
        signal,
        until,
      });
      yield* value.data;
      cursor = value.nextCursor;
    }
  }

  private async read<T>(path: string, query: Record<string, unknown>, signal: AbortSignal | undefined): Promise<T> {
    const values = query as Record<string, string | number | undefined>;
    return (await this.calls.json<T>({ method: "GET", path, query: values, signal })).value;
  }
}

const at = encodeURIComponent;

/** The names that these had. */
export type NewApproval = ApprovalRequest;
export type NewNotification = NotificationRequest;
export type { Answer, Approval, ApprovalRequest, Ask, Connection, Event, NotificationRequest, Receipt, Resolution };
export { CountersignError, contentHash, NotAnswered, NotProven, verifyReceipt, verifyWebhook };
