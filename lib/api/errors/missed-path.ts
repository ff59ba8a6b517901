import { env } from "@/lib/config/env";
import { nearest } from "@/lib/text/nearest";
import { operations } from "../registry";

/*
 * What is said of a request whose path or method nothing is at: which path it probably means, and where all of them are.
 */

/** Every path that a program may mean. */
const paths = [
  ...new Set([
    ...operations.map(({ path }) => path as string),
    "/api/mcp",
    "/api/openapi.json",
    "/api/openapi-3.0.json",
  ]),
];
const partsOf = (path: string) => path.split("/").filter(Boolean);
const isOpen = (part: string | undefined) => part?.startsWith("{") === true;

/** What of a path a client may have put there or left out: the prefix, a version, slashes. */
const bare = (path: string) =>
  partsOf(path.slice(0, 500)).filter((part, at) => at > 2 || !/^(api|rest|v\d+(\.\d+)?)$/i.test(part));

/** The path of the interface that a path probably means; undefined where none is near. An id in it stays. */
export function nearestPath(path: string): string | undefined {
  const given = bare(path);
  if (given.length === 0) return undefined;
  const found = paths
    .map((each) => ({ each, score: closeness(given, partsOf(each).slice(1)) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => a.score - b.score)[0];
  if (!found) return undefined;
  const parts = partsOf(found.each).slice(1);
  return `/api/${parts.map((part, at) => (isOpen(part) && isPlain(given[at]) ? given[at] : part)).join("/")}`;
}

const isPlain = (part: string | undefined) => part !== undefined && /^[\w-]{1,60}$/.test(part);

/** How many parts differ a little; -1 where one differs a lot. */
function closeness(given: readonly string[], parts: readonly string[]): number {
  if (given.length !== parts.length) return -1;
  let score = 0;
  for (const [at, part] of parts.entries()) {
    const said = given[at] as string;
    if (said === part || isOpen(part)) continue;
    if (nearest(said, [part]) === undefined) return -1;
    score++;
  }
  return score;
}

/** What to send instead of a request to a path that is not there. */
export function pathHint(path: string): string {
  const { publicUrl } = env();
  const reference = `All paths: ${publicUrl}/docs/reference`;
  const meant = nearestPath(path);
  if (meant === path.replace(/\/$/, "")) return `Leave out the slash at the end: ${meant}. ${reference}`;
  if (meant) return `Did you mean ${meant}? ${reference}`;
  const below = paths.filter((each) => nearest(bare(path)[0] ?? "", [partsOf(each)[1] ?? ""]) !== undefined);
  return `There is ${(below.length > 0 ? below : paths).join(", ")}. ${reference}`;
}

/** What some expect to be there, and what does it instead. */
const instead: Record<string, string> = {
  "DELETE /api/approvals/{id}":
    "A submitted question cannot be deleted. To withdraw it, resolve it: POST /api/approvals/{id}/resolve, with the scope approvals:resolve.",
  "PUT /api/approvals/{id}":
    "A submitted question cannot be changed. Add to it with POST /api/approvals/{id}/additions, or resolve it and submit another.",
};

/** What to send instead of a method that a path does not take. @param path as it is declared @param allowed as in `GET and POST` */
export function methodHint(method: string, path: string, allowed: string): string {
  const known = instead[`${method === "PATCH" ? "PUT" : method} ${path}`];
  return known ?? `${path} takes ${allowed}. All operations: ${env().publicUrl}/docs/reference`;
}
