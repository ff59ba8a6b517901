import { badRequest } from "@/lib/errors";

/** The API version, which every response names. docs/compatibility.md describes its guarantees. */
export const apiVersion = "1";

/**
 * Rejects a request that names a version that does not exist.
 * @throws {AppError} 400
 */
export function checkVersion(wanted: string | undefined): void {
  if (wanted !== undefined && wanted !== apiVersion)
    throw badRequest(
      `The API has no version ${JSON.stringify(wanted)}. Set the header Countersign-Version to ${apiVersion}, or omit the header.`,
    );
}
