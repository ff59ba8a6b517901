import { z } from "zod";

export const format = "countersign owner";
/** The file's version. A version that reads the file differently increases it. */
export const version = 1;

/** The first line of an owner's file. */
export const FileHeader = z.object({
  format: z.literal(format),
  version: z.number(),
  exportedAt: z.string(),
  ownerId: z.string(),
  email: z.string(),
  publicUrl: z.string(),
  /** Identifies the key of the hashes in the file. */
  hashKey: z.string(),
  retainedKeys: z.record(z.string(), z.string()),
});
export type FileHeader = z.infer<typeof FileHeader>;

/** Thrown for a file that can't be imported. The message is a sentence for the operator. */
export class OwnerFileError extends Error {}

/**
 * Reads the first line of an owner's file.
 * @throws {OwnerFileError} if this version can't read the file
 */
export function readHeader(line: string | undefined): FileHeader {
  const found = FileHeader.safeParse(jsonOf(line ?? ""));
  if (!found.success) throw new OwnerFileError('The file was not written by "owner export".');
  if (found.data.version !== version)
    throw new OwnerFileError(
      `The file has the version ${found.data.version}, but this version of Countersign reads the version ${version}.`,
    );
  return found.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
