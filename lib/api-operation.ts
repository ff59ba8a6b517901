import { z } from "zod";
import type { AppActor } from "./actor";
import type { Scope } from "./scopes";
import type { DisconnectSignal } from "./wait-param";

/**
 * JSON text that SQL built in the shape of the operation's output. A test parses it with that
 * schema.
 */
export class RawJson {
  constructor(
    readonly text: string,
    /** The next page's cursor, for lists. */
    readonly nextCursor?: string,
    /**
     * Warnings about ignored input for the developer's request log. Responses never contain them.
     */
    public warnings: readonly string[] = [],
    /**
     * Seconds until the next request makes sense. Set if the awaited result is not available yet.
     */
    readonly retryAfter?: number,
  ) {}
}

/**
 * One action that an app can take. The HTTP endpoint, the MCP tool, the OpenAPI entry and the
 * contract tests all derive from it.
 */
export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  id: string;
  method: "GET" | "POST";
  path: `/api/${string}`;
  /**
   * The scope that the operation needs, or null if any live token may call it. Required, so that no
   * operation omits it by mistake.
   */
  scope: Scope | null;
  summary: string;
  description?: string;
  /** Path, query and body together. Unknown fields are rejected by name. */
  input: I;
  /**
   * The documented body, if it differs from the input. It has no path parameters, and may state
   * more dependencies between fields.
   */
  body?: z.ZodType;
  output: O;
  /** The status of a success; 200 by default. */
  status?: 200 | 201;
  /** Possible errors besides 401, 403 (if it has a scope), 429, 500 and 503. */
  failures: readonly (400 | 404 | 409 | 410 | 413 | 422)[];
  /** Whether an Idempotency-Key is honored. */
  idempotent?: boolean;
  /** Messages for some unknown fields. They replace the suggestion of the nearest field. */
  hints?: Record<string, string>;
  /** Warnings for valid input that has no effect, for the developer. */
  warnings?(input: z.output<I>): readonly string[];
  /**
   * Performs the operation. An operation with `wait` waits in this function, and ends early when
   * the caller disconnects.
   */
  run(app: AppActor, input: z.output<I>, leaving: DisconnectSignal): Promise<z.input<O> | RawJson>;
  /**
   * How an operation that creates a record can wait for the record's outcome. Its query then has
   * `wait`.
   */
  waits?: WaitSpec<O>;
  /** For operations that also offer server-sent events (Accept: text/event-stream). */
  streams?: Streams<I>;
  /** A valid request and a possible response. A GET has no body. */
  example: Example;
  /**
   * The operation's MCP tool. By default, its name and title derive from the operation's ID and
   * summary.
   */
  tool?: ToolDescription;
};

/** The request shown in the documentation, which the contract tests send. */
export type Example = {
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Whether the example request is about an approval that is already answered. */
  answered?: true;
  /** A possible response. */
  response: Record<string, unknown>;
};

/** Describes an operation for a model. */
export type ToolDescription = {
  name: string;
  title: string;
  description: string;
  /** Whether the effect cannot be undone. Repeating the call then has no further effect. */
  destructive?: true;
  /**
   * What a call can wait for, with `waitSeconds` instead of `wait`. With `answer`, results also
   * state the next step.
   */
  waitsFor?: "answer" | "events";
  /** Input fields that need a further scope, each with that scope. */
  needs?: Partial<Record<string, Scope>>;
  /**
   * Alternative forms in which models may send fields: their schemas, and the conversion to the
   * input.
   */
  aliases?: { fields: z.ZodRawShape; normalize(given: Record<string, unknown>): Record<string, unknown> };
};

export type WaitSpec<O extends z.ZodType = z.ZodType> = {
  /** The scope that the awaited answer needs. */
  scope: Scope;
  /**
   * The schema of the output with the answer. The operation's own `output` is the same schema, or a
   * part of it without `status`.
   */
  output: z.ZodType;
  /** An example of that output. */
  gives: Record<string, unknown>;
  /**
   * Waits for the outcome. Called once this request, or an earlier identical one, has committed the
   * record. Holds no database connection.
   */
  run(app: AppActor, made: z.output<O>, seconds: number, leaving: DisconnectSignal): Promise<RawJson>;
};

export type Streams<I extends z.ZodObject = z.ZodObject> = {
  /**
   * @param lastEventId the Last-Event-ID header of a client that reconnects
   * @returns the stream's text, piece by piece. Rejections are thrown before the first piece.
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
  // A boolean, because some client generators turn the constant `true` into a string enum.
  .object({ ok: z.boolean().describe("Always `true`.") })
  .meta({ id: "Done", description: "The request succeeded." });
