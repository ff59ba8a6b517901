import { isId, type Prefix } from "@/lib/keys/ids";
import type { Operation } from "@/lib/operation";

type RecordKind = { called: string; prefix: Prefix; example: string };

/** The kinds of records that paths name by their id, by the first part of the path. */
const kinds: Record<string, RecordKind> = {
  approvals: { called: "an approval", prefix: "apr", example: "apr_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e" },
  notifications: { called: "a notification", prefix: "ntf", example: "ntf_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e" },
};

/** What `{id}` in an operation's path is; undefined where there is none. */
export const recordKindOf = ({ path }: Pick<Operation, "path">): RecordKind | undefined =>
  path.includes("{id}") ? kinds[path.split("/")[2] ?? ""] : undefined;

/** What is wrong with an id, as far as its form shows: an id of another kind, part of one, or a variable that is not set. */
export function idProblem(op: Operation, id: unknown): string | undefined {
  const kind = recordKindOf(op);
  if (!kind || (typeof id === "string" && isId(kind.prefix, id))) return undefined;
  return `Not the id of ${kind.called}: one looks like ${kind.example}.`;
}
