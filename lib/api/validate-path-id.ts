import type { Operation } from "@/lib/api-operation";
import { isId, type Prefix } from "@/lib/ids";

type RecordKind = { called: string; prefix: Prefix; example: string };

/** The types of records that paths identify by ID, by the first part of the path. */
const kinds: Record<string, RecordKind> = {
  approvals: { called: "an approval", prefix: "apr", example: "apr_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e" },
  notifications: { called: "a notification", prefix: "ntf", example: "ntf_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e" },
};

/** Returns the record that `{id}` in an operation's path refers to; undefined if there is none. */
export const recordKindOf = ({ path }: Pick<Operation, "path">): RecordKind | undefined =>
  path.includes("{id}") ? kinds[path.split("/")[2] ?? ""] : undefined;

/**
 * Returns the problem with the ID in an operation's path, or undefined. Checks only the ID's form,
 * which reveals another kind of ID, a truncated ID or an unset variable.
 */
export function idProblem(op: Operation, id: unknown): string | undefined {
  const kind = recordKindOf(op);
  if (!kind || (typeof id === "string" && isId(kind.prefix, id))) return undefined;
  return `Must be the ID of ${kind.called}, like ${kind.example}`;
}
