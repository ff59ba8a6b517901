import { env } from "@/lib/config/env";
import { nearest } from "@/lib/text/nearest-word";
import { operations } from "../operation-registry";

/*
 * Callers mistype paths and methods. The hint in an error names the path that the caller probably
 * meant, and says where all paths are listed.
 */

/** The API paths that a caller may have meant. */
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

/**
 * Returns a path's parts without those that clients often add or omit: the prefix, a version, and
 * empty parts.
 */
const bare = (path: string) =>
  partsOf(path.slice(0, 500)).filter((part, at) => at > 2 || !/^(api|rest|v\d+(\.\d+)?)$/i.test(part));

/**
 * Returns the API path closest to a given path, with the given path's IDs, or undefined if none is
 * close.
 */
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

/**
 * Returns how many parts differ slightly, or -1 if any part differs a lot or the numbers of parts
 * differ.
 */
function closeness(given: readonly string[], parts: readonly string[]): number {
  if (given.length !== parts.length) return -1;
  let score = 0;
  for (const [at, part] of parts.entries()) {
    const segment = given[at] as string;
    if (segment === part || isOpen(part)) continue;
    if (nearest(segment, [part]) === undefined) return -1;
    score++;
  }
  return score;
}

/** Returns a hint for a request to an unknown path: the request that the caller probably meant. */
export function pathHint(path: string): string {
  const { publicUrl } = env();
  const reference = `All paths: ${publicUrl}/docs/reference`;
  const meant = nearestPath(path);
  if (meant === path.replace(/\/$/, "")) return `Remove the trailing slash: ${meant}. ${reference}`;
  if (meant) return `Did you mean ${meant}? ${reference}`;
  const below = paths.filter((each) => nearest(bare(path)[0] ?? "", [partsOf(each)[1] ?? ""]) !== undefined);
  return `Use one of these paths: ${(below.length > 0 ? below : paths).join(", ")}. ${reference}`;
}

/** Requests that some callers expect to work, each with an alternative. */
const instead: Record<string, string> = {
  "DELETE /api/approvals/{id}":
    "You cannot delete a submitted question. To withdraw the question, use POST /api/approvals/{id}/resolve with the scope approvals:resolve.",
  "PUT /api/approvals/{id}":
    "You cannot change a submitted question. Add information with POST /api/approvals/{id}/additions, or resolve the question and submit a new question.",
};

/**
 * Returns a hint for a request with a method that the path does not accept: a request to send
 * instead.
 * @param path the path as declared
 * @param allowed the methods that the path accepts, such as `GET and POST`
 */
export function methodHint(method: string, path: string, allowed: string): string {
  const known = instead[`${method === "PATCH" ? "PUT" : method} ${path}`];
  return known ?? `${path} accepts ${allowed}. All operations: ${env().publicUrl}/docs/reference`;
}
