import type { z } from "zod";
import { authenticate } from "@/lib/access/authorization";
import type { AppActor } from "@/lib/actor";
import { type Operation, RawJson } from "@/lib/api-operation";
import { AppError, badRequest, notFound } from "@/lib/errors";
import type { FieldHints } from "@/lib/text/unknown-field-hints";
import { detailsOf, withoutNulls } from "@/lib/text/validate";
import { validationMessage } from "@/lib/text/validation-messages";
import { type DisconnectSignal, neverDisconnects } from "@/lib/wait-param";
import { idProblem } from "./validate-path-id";

/** Maximum problems listed in one 400. */
const maxDetails = 20;

/**
 * Runs an operation, for every kind of request. Parses the input, does the work, and returns only
 * the declared output. The work's own statement checks token and scope. Callers see errors in the
 * order 401, 403, 413, 400, so input errors are shown only to an app that may make the call.
 * @throws {AppError}
 */
export async function runOperation(
  op: Operation,
  app: AppActor,
  read: () => unknown,
  leaving: DisconnectSignal = neverDisconnects,
): Promise<RawJson> {
  const input = await readInputFor(op, app, read);
  const output = await op.run(app, input, leaving).catch((error) => {
    throw error instanceof AppError && error.status === 404 ? notFound(idProblem(op, input.id)) : error;
  });
  const wire = output instanceof RawJson ? output : new RawJson(JSON.stringify(op.output.parse(output)));
  if (op.warnings) wire.warnings = op.warnings(input);
  return wire;
}

/** Parses the operation's input. @throws {AppError} 401 and 403 first, then 400 */
export async function readInputFor(
  op: Operation,
  app: AppActor,
  read: () => unknown,
): Promise<Record<string, unknown>> {
  try {
    return parseInput(op.input, await read(), () => hintsOf(op));
  } catch (refusal) {
    if (refusal instanceof AppError) await authenticate(app);
    throw refusal;
  }
}

/** Returns hints for fields that an operation does not accept, by name. */
const hintsOf = ({ hints, idempotent, waits, path }: Operation): FieldHints => {
  const wait = `Send wait in the query, as in ${path}?wait=30`;
  return {
    hints: {
      ...(idempotent && { idempotencyKey: "Send the key in the Idempotency-Key header." }),
      ...(waits && { wait, waitSeconds: wait, timeout: wait }),
      ...hints,
    },
    without: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
  };
};

/**
 * Checks the input against the schema.
 * @param words hints for unknown fields
 * @throws {AppError} 400 with each invalid field
 */
export function parseInput<T>(schema: z.ZodType<T>, given: unknown, words?: () => FieldHints): T {
  const read = schema.safeParse(withoutNulls(schema, given), { error: validationMessage });
  if (read.success) return read.data;
  throw badRequest(detailsOf(schema, read.error, [], words?.()).slice(0, maxDetails));
}
