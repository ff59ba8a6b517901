import type { IncomingMessage } from "node:http";
import { unknownPath } from "@/lib/api/errors/error-responses";
import { nearestPath, pathHint } from "@/lib/api/errors/path-hints";
import type { OperationResponse } from "@/lib/api/operation-request";
import { comesFromOwnPage } from "./csrf";

/** Paths besides `/api` to which programs send tokens. */
const takesTokens = /^\/(oauth\/|register$|token$)/;

/**
 * Returns the 404 for a program that meant the API, but omitted or misspelled a part of the path.
 * Undefined for requests that must go to the pages. Browsers send no bearer token on their own, but
 * a proxy may add one to owners' requests.
 * @param path the request's path, without its query
 */
export function missedApi(req: IncomingMessage, path: string): OperationResponse | undefined {
  const [, token] = /^bearer\s+(.*)$/i.exec(req.headers.authorization ?? "") ?? [];
  if (token === undefined || takesTokens.test(path) || /\btext\/html\b/.test(req.headers.accept ?? ""))
    return undefined;
  const reads = ["GET", "HEAD", "OPTIONS"].includes(req.method as string);
  const meant = reads ? token.startsWith("csn_") && nearestPath(path) !== undefined : !comesFromOwnPage(req);
  if (!meant) return undefined;
  const reply = unknownPath(pathHint(path));
  return reads ? reply : { ...reply, headers: { connection: "close" } };
}
