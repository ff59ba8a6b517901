import type { z } from "zod";
import type { AppActor } from "./actor";
import type { Scope } from "./scopes";
import type { DisconnectSignal } from "./wait-param";

/** JSON text that SQL already built in the shape of the operation's output; a test parses it with that schema. */
export class RawJson {
  constructor(
    readonly text: string,
    /** Where the next page begins, for lists. */
    readonly nextCursor?: string,
    /** For the developer's list of requests, never in a reply: what of the input has no effect. */
    public warnings: readonly string[] = [],
    /** Seconds after which asking again is worth it: what was waited for is not there yet. */
    readonly retryAfter?: number,
  ) {}
}

/** One thing an app can do. The HTTP endpoint, the MCP tool, the OpenAPI entry and the contract tests are all read from it. */
export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  id: string;
  method: "GET" | "POST";
  path: `/api/${string}`;
  /** The one scope it needs, or null where any live token will do. Required, so that it cannot be forgotten. */
  scope: Scope | null;
  summary: string;
  description?: string;
  /** Path, query and body together. Strict: unknown fields are refused by name. */
  input: I;
  /** The body as it is described, where the input is not just that: it has the path's part too, or says less of what belongs together. */
  body?: z.ZodType;
  output: O;
  /** Status of success; 200 unless told. */
  status?: 200 | 201;
  /** What it may answer besides 401, 403 (where it has a scope), 429, 500 and 503. */
  failures: readonly (400 | 404 | 409 | 410 | 413 | 422)[];
  /** Whether an Idempotency-Key is honoured. */
  idempotent?: boolean;
  /** What to say of some fields that it does not take, in place of the field that is nearest. */
  hints?: Record<string, string>;
  /** What of a good input has no effect, in words for the developer. */
  warnings?(input: z.output<I>): readonly string[];
  /** What takes `wait` waits here, and ends early when the caller leaves. */
  run(app: AppActor, input: z.output<I>, leaving: DisconnectSignal): Promise<z.input<O> | RawJson>;
  /** For what makes something and may then wait for what comes of it: `wait` in the query, besides the body. */
  waits?: WaitSpec<O>;
  /** For what can also be had as a stream of server-sent events (Accept: text/event-stream). */
  streams?: Streams<I>;
  /** A request that is taken; what has a body has one. And what it is answered with. */
  example: Example;
  /** How agents know it; under its id and summary unless told. */
  tool?: ToolDescription;
};

/** What the documentation sends, and the contract tests with it. */
export type Example = {
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Goes to an approval that is answered already. */
  answered?: true;
  /** A reply, as it may come. */
  response: Record<string, unknown>;
};

/** An operation in words for a model. */
export type ToolDescription = {
  name: string;
  title: string;
  description: string;
  /** What it does cannot be taken back, and once done is not done again. */
  destructive?: true;
  /** What a call may wait for, with `waitSeconds` instead of `wait`. Who waits for an answer is also told what to do next. */
  waitsFor?: "answer" | "events";
  /** Fields of the input that are of no use without another scope than the operation's own. */
  needs?: Partial<Record<string, Scope>>;
  /** Shorter ways in which models say some fields: how these are described then, and the input that is meant. */
  aliases?: { fields: z.ZodRawShape; normalize(given: Record<string, unknown>): Record<string, unknown> };
};

export type WaitSpec<O extends z.ZodType = z.ZodType> = {
  /** The scope that the waited-for answer needs. */
  scope: Scope;
  /** What the answer is then; the operation's own output is this, or a part of it without `status`. */
  output: z.ZodType;
  /** What it may be answered with then. */
  gives: Record<string, unknown>;
  /** Runs after what was made is committed, made now or by the same request before; holds no connection. */
  run(app: AppActor, made: z.output<O>, seconds: number, leaving: DisconnectSignal): Promise<RawJson>;
};

export type Streams<I extends z.ZodObject = z.ZodObject> = {
  /**
   * @param lastEventId the header Last-Event-ID of a client that connects again
   * @returns the stream's text, piece by piece; refusals are thrown before the first
   */
  run(
    app: AppActor,
    input: z.output<I>,
    lastEventId: string | undefined,
    leaving: DisconnectSignal,
  ): Promise<AsyncGenerator<string>>;
};

export const operation = <I extends z.ZodObject, O extends z.ZodType>(it: Operation<I, O>): Operation<I, O> => it;
