import { z } from "zod";
import type { AppActor } from "./actor";
import type { Scope } from "./scopes";
import type { DisconnectSignal } from "./wait-param";

/** JSON text that SQL built. It has the shape of the operation's output, which a test checks. */
export class RawJson {
  constructor(
    readonly text: string,
    /** The next page's cursor, for lists. */
    readonly nextCursor?: string,
    /**
     * Warnings about ignored input, for the developer's request log. The response does not contain
     * them.
     */
    public warnings: readonly string[] = [],
    /**
     * Seconds until another request makes sense. Set if the awaited result is not available yet.
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
   * The scope that the operation requires, or null if any valid token suffices. Not optional, so
   * that it can't be forgotten.
   */
  scope: Scope | null;
  summary: string;
  description?: string;
  /** The path, query and body parameters together. Requests with unknown fields are rejected. */
  input: I;
  /**
   * The body as documented, if it differs from the input. It omits path parameters, and may state
   * more dependencies between fields.
   */
  body?: z.ZodType;
  output: O;
  /** The status of a success; 200 by default. */
  status?: 200 | 201;
  /** Possible errors besides 401, 403 (if there is a scope), 429, 500 and 503. */
  failures: readonly (400 | 404 | 409 | 410 | 413 | 422)[];
  /** Whether an Idempotency-Key is honored. */
  idempotent?: boolean;
  /** Messages for some unknown fields, instead of the name of the most similar field. */
  hints?: Record<string, string>;
  /** Returns warnings for the developer about valid input that has no effect. */
  warnings?(input: z.output<I>): readonly string[];
  /**
   * Performs the operation. If it can wait, it waits in this function, and stops when the caller
   * disconnects.
   */
  run(app: AppActor, input: z.output<I>, leaving: DisconnectSignal): Promise<z.input<O> | RawJson>;
  /**
   * How an operation that creates a record can also wait for the record's outcome, with the query
   * parameter `wait`.
   */
  waits?: WaitSpec<O>;
  /** For operations that also offer server-sent events (Accept: text/event-stream). */
  streams?: Streams<I>;
  /** A valid request, and a possible response. A GET has no body. */
  example: Example;
  /**
   * The operation's MCP tool. By default, its name and title come from the operation's ID and
   * summary.
   */
  tool?: ToolDescription;
};

/** The request in the documentation. Contract tests send it. */
export type Example = {
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Whether the example is about an approval that is already answered. */
  answered?: true;
  /** A possible response. */
  response: Record<string, unknown>;
};

/** Describes an operation for a model. */
export type ToolDescription = {
  name: string;
  title: string;
  description: string;
  /** Whether the effect can't be undone. Another identical call then has no further effect. */
  destructive?: true;
  /**
   * What a call can wait for, with `waitSeconds` instead of `wait`. With "answer", results also say
   * what to do next.
   */
  waitsFor?: "answer" | "events";
  /** Input fields that require an additional scope, each with that scope. */
  needs?: Partial<Record<string, Scope>>;
  /**
   * Alternative names or forms of fields that models may send: their schemas, and the conversion to
   * the input.
   */
  aliases?: { fields: z.ZodRawShape; normalize(given: Record<string, unknown>): Record<string, unknown> };
};

export type WaitSpec<O extends z.ZodType = z.ZodType> = {
  /** The scope that the awaited answer needs. */
  scope: Scope;
  /**
   * The schema of the output with the answer. The operation's own `output` is the same schema, or
   * the part of it without `status`.
   */
  output: z.ZodType;
  /** An example of that output. */
  gives: Record<string, unknown>;
  /**
   * Waits for the outcome. Called after this request, or an earlier identical one, has committed
   * the record. Uses no database connection while it waits.
   */
  run(app: AppActor, made: z.output<O>, seconds: number, leaving: DisconnectSignal): Promise<RawJson>;
};

export type Streams<I extends z.ZodObject = z.ZodObject> = {
  /**
   * @param lastEventId the Last-Event-ID header of a client that reconnects
   * @returns the stream's text in pieces; a rejection is thrown before the first piece
   */
  run(
    app: AppActor,
    input: z.output<I>,
    lastEventId: string | undefined,
    leaving: DisconnectSignal,
  ): Promise<AsyncGenerator<string>>;
};

export const operation = <I extends z.ZodObject, O extends z.ZodType>(it: Operation<I, O>): Operation<I, O> => it;

/** The output of an operation that returns nothing else. */
export const Done = z
  // A boolean, because some generators of clients turn a constant `true` into an enum of strings.
  .object({ ok: z.boolean().describe("Always `true`.") })
  .meta({ id: "Done", description: "The request succeeded." });
