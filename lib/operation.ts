import type { z } from "zod";
import type { AppActor } from "./actor";
import type { Scope } from "./scopes";

/** JSON text that SQL already built in the shape of the operation's output; a test parses it with that schema. */
export class Wire {
  constructor(
    readonly text: string,
    /** Where the next page begins, for lists. */
    readonly nextCursor?: string,
    /** For the developer's list of requests, never in a reply: what of the input has no effect. */
    public warnings: readonly string[] = [],
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
  output: O;
  /** Status of success; 200 unless told. */
  status?: 200 | 201;
  /** What it may answer besides 401, 403 (where it has a scope), 429, 500 and 503. */
  failures: readonly (400 | 404 | 409 | 413 | 422)[];
  /** Whether an Idempotency-Key is honoured. */
  idempotent?: boolean;
  /** What of a good input has no effect, in words for the developer. */
  warnings?(input: z.output<I>): readonly string[];
  run(app: AppActor, input: z.output<I>): Promise<z.input<O> | Wire>;
};

export const operation = <I extends z.ZodObject, O extends z.ZodType>(it: Operation<I, O>): Operation<I, O> => it;
