import { z } from "zod";
import type { AppActor } from "./actor";
import type { Scope } from "./scopes";
import type { DisconnectSignal } from "./wait-param";

/**
 * JSON text that was built in SQL. A test checks that it matches the schema of the operation's
 * output.
 */
export class RawJson {
  constructor(
    readonly text: string,
    /** For lists, the cursor of the next page. */
    readonly nextCursor?: string,
    /**
     * Warnings about ignored input, for the developer's request log. The response does not contain
     * them.
     */
    public warnings: readonly string[] = [],
    /**
     * The number of seconds after which to send the request again. Set if the awaited result is not
     * available yet.
     */
    readonly retryAfter?: number,
  ) {}
}

/**
 * One thing that an app can do. The HTTP endpoint, the MCP tool, the OpenAPI entry and the contract
 * tests derive from it.
 */
export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  id: string;
  method: "GET" | "POST";
  path: `/api/${string}`;
  /**
   * The scope that the operation requires, or null if any valid token suffices. The field is not
   * optional, so that no one can forget it.
   */
  scope: Scope | null;
  summary: string;
  description?: string;
  /** The path, query and body parameters together. Requests with unknown fields are rejected. */
  input: I;
  /**
   * The schema of the documented body, if it differs from the input. It omits path parameters, and
   * may express more dependencies between fields.
   */
  body?: z.ZodType;
  output: O;
  /** The HTTP status on success; 200 by default. */
  status?: 200 | 201;
  /**
   * The HTTP statuses of possible errors, other than 401, 403 (if there is a scope), 429, 500 and
   * 503.
   */
  failures: readonly (400 | 404 | 409 | 410 | 413 | 422)[];
  /** Whether the operation supports the Idempotency-Key header. */
  idempotent?: boolean;
  /**
   * Whether the operation requires the Idempotency-Key header and stores the key itself. The key is
   * then the field `idempotencyKey` of the input.
   */
  requiresKey?: true;
  /**
   * Error messages for some unknown fields, by name. The message for any other unknown field
   * suggests the most similar field.
   */
  hints?: Record<string, string>;
  /** Returns warnings for the developer about valid input that has no effect. */
  warnings?(input: z.output<I>): readonly string[];
  /**
   * Performs the operation. If this function waits, it stops waiting when the caller disconnects.
   */
  run(app: AppActor, input: z.output<I>, leaving: DisconnectSignal): Promise<z.input<O> | RawJson>;
  /**
   * For an operation that creates a record: how it can also wait for the record's outcome, with the
   * query parameter `wait`.
   */
  waits?: WaitSpec<O>;
  /** The server-sent events that the operation also offers, if Accept is `text/event-stream`. */
  streams?: Streams<I>;
  /** A valid request and a possible response. A GET request has no body. */
  example: Example;
  /**
   * The operation's MCP tool. By default, its name and title come from the operation's ID and
   * summary.
   */
  tool?: ToolDescription;
};

/** An example in the documentation. Contract tests send its request. */
export type Example = {
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Set if the example concerns an approval that is already answered. */
  answered?: true;
  /** A possible response. */
  response: Record<string, unknown>;
};

/** The description of an operation for a model. */
export type ToolDescription = {
  name: string;
  title: string;
  description: string;
  /** Set if the effect can't be undone. Repeating the same call then has no further effect. */
  destructive?: true;
  /**
   * What a call can wait for, with `waitSeconds` instead of `wait`. With "answer", results also
   * state the next step.
   */
  waitsFor?: "answer" | "events";
  /** The scopes that some input fields require in addition, by field name. */
  needs?: Partial<Record<string, Scope>>;
  /**
   * Alternative names or forms of fields that models may send: their schemas, and a function that
   * converts them to the operation's input.
   */
  aliases?: { fields: z.ZodRawShape; normalize(given: Record<string, unknown>): Record<string, unknown> };
};

export type WaitSpec<O extends z.ZodType = z.ZodType> = {
  /** The scope that is required to read the awaited answer. */
  scope: Scope;
  /**
   * The schema of the output with the answer. The operation's own `output` is the same schema, or a
   * part of it without `status`.
   */
  output: z.ZodType;
  /** An example of the output with the answer. */
  gives: Record<string, unknown>;
  /**
   * Waits for the outcome, without a database connection. Called after the record is committed, by
   * this request or by an earlier identical one.
   */
  run(app: AppActor, made: z.output<O>, seconds: number, leaving: DisconnectSignal): Promise<RawJson>;
};

export type Streams<I extends z.ZodObject = z.ZodObject> = {
  /**
   * @param lastEventId the Last-Event-ID header of a client that reconnects
   * @returns the stream's text in pieces; a rejected request throws before the first piece
   */
  run(
    app: AppActor,
    input: z.output<I>,
    lastEventId: string | undefined,
    leaving: DisconnectSignal,
  ): Promise<AsyncGenerator<string>>;
};

export const operation = <I extends z.ZodObject, O extends z.ZodType>(it: Operation<I, O>): Operation<I, O> => it;

/** The output of an operation that returns no data. */
export const Done = z
  // A boolean, because some client generators turn a constant `true` into an enum of strings.
  .object({ ok: z.boolean().describe("Always `true`.") })
  .meta({ id: "Done", description: "The request succeeded." });
