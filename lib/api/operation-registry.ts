import type { Operation } from "@/lib/api-operation";
import * as approvals from "@/lib/approvals/operations";
import * as sign from "@/lib/approvals/sign/operations";
import * as thread from "@/lib/approvals/thread/operations";
import * as events from "@/lib/event-feed/operations";
import * as freeze from "@/lib/freeze/operations";
import * as integrations from "@/lib/integrations/operations";
import * as notifications from "@/lib/notifications/operations";
import * as receipts from "@/lib/receipts/operations";

/** Every operation, by path and method. */
export const operations: readonly Operation[] = Object.values<Operation>({
  ...approvals,
  ...thread,
  ...sign,
  ...notifications,
  ...integrations,
  ...events,
  ...receipts,
  ...freeze,
}).sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));

const paths = [...new Set(operations.map((op) => op.path))];
const byPath = new Map<string, Operation[]>(paths.map((path) => [path, operations.filter((op) => op.path === path)]));

/** Returns the operations at a path such as `/api/approvals/{id}`. */
export const operationsAt = (path: string): readonly Operation[] => byPath.get(path) ?? [];

type Match = { path: string; params: Record<string, string> };

const exact = new Map(
  paths.filter((path) => !path.includes("{")).map((path) => [path as string, { path, params: {} }]),
);
const patterns = paths
  .filter((path) => path.includes("{"))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`) }));

/**
 * Returns the declared path that matches a raw (percent-encoded) path, and the path's parameters.
 * Returns undefined if no path matches.
 */
export function matchPath(raw: string): Match | undefined {
  const known = exact.get(raw);
  if (known) return known;
  for (const { path, pattern } of patterns) {
    const found = pattern.exec(raw);
    if (found) return { path, params: { ...found.groups } };
  }
  return undefined;
}
