import { badRequest } from "@/lib/errors";

/** The version of the interface for apps, which every reply names. What it promises is in docs/compatibility.md. */
export const apiVersion = "1";

/** @throws {AppError} 400 for a request that names a version which does not exist */
export function checkVersion(wanted: string | undefined): void {
  if (wanted !== undefined && wanted !== apiVersion)
    throw badRequest(
      `Countersign-Version ${JSON.stringify(wanted)} does not exist. Send ${apiVersion}, or no such header`,
    );
}
