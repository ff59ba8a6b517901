import { missingApps } from "@/lib/apps/app-placeholders";
import { env } from "@/lib/config/env";
import type { Executor } from "@/lib/database/sql";
import { sqlState } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { revokeGrantsTo } from "@/lib/grants/revoke-grants-to-apps";
import { createFirstDataKey, openDataKey } from "@/lib/keys/data-keys";
import { adoptSealedKeys, hashKeyName } from "@/lib/keys/tables-in-owner-files";
import { anyOwner, isEmailTaken, nameOfOwner } from "@/lib/owners/find-accounts";
import { type FileHeader, OwnerFileError, readHeader } from "./file-header";
import { alreadyThere, type RowInserter, rowInserter } from "./insert-rows";
import { tablesInFile } from "./tables-in-file";

/** The lines of a file, which can be read several times. */
export type FileLines = () => AsyncIterable<string>;

/** What was imported. */
export type ImportedOwner = {
  ownerId: string;
  email: string;
  /** The number of rows in each table of the file. */
  rows: Record<string, number>;
  /** Apps whose permissions were skipped, because this service lacks the apps' owners. */
  skippedApps: { clientId: string; name: string }[];
  /** The URL of the service that wrote the file, if this service has another one. */
  formerUrl?: string;
};

/** Returns the header of an owner's file. @throws {OwnerFileError} */
export async function readFileHeader(lines: FileLines): Promise<FileHeader> {
  for await (const line of lines()) return readHeader(line);
  return readHeader(undefined);
}

/**
 * Creates an owner with the data in a file from `writeOwnerFile`, in one transaction.
 * @throws {OwnerFileError} if the file is incomplete, the account exists, or the keys differ
 */
export async function readOwnerFile(lines: FileLines): Promise<ImportedOwner> {
  const header = await readFileHeader(lines);
  const { ownerId, email } = header;
  if ((await nameOfOwner(ownerId)) !== undefined || (await isEmailTaken(email, ownerId)))
    throw new OwnerFileError(`This service already has an account with the email ${email}, so nothing was imported.`);
  await requireKeys(header);
  // Keys in the file stay for old values only.
  await createFirstDataKey();
  const work = async (tx: Change) => {
    const rows = await insertAll(tx, lines);
    const skippedApps = await missingApps(tx, ownerId);
    await revokeGrantsTo(
      tx,
      skippedApps.map((app) => app.clientId),
    );
    await record(tx, { ownerId, type: "owner.created", subject: ownerId });
    return { rows, skippedApps };
  };
  try {
    const done = await change(null, work, { timeout: 3_600_000 });
    const { publicUrl } = env();
    return { ownerId, email, ...done, ...(publicUrl !== header.publicUrl && { formerUrl: header.publicUrl }) };
  } catch (error) {
    throw sqlState(error) === "23505" ? alreadyThere((error as Error).message.split("\n").at(-1) ?? "") : error;
  }
}

/** @throws {OwnerFileError} unless this service has the keys of the hashes in the file */
async function requireKeys({ hashKey, retainedKeys }: FileHeader): Promise<void> {
  if (hashKeyName() === hashKey) return;
  if (await adoptSealedKeys(retainedKeys, hashKey, async () => !(await anyOwner()))) return;
  throw new OwnerFileError(
    "The file was written with another SECRET. Set SECRET, or the secret file in DATA_DIR, to the secret of the service that wrote the file, and import into a database without owners first.",
  );
}

/** The maximum size of a statement's rows, in characters, and their number. */
const [maxLength, maxRows] = [1_000_000, 500];

/** Inserts all rows. @returns the number of rows in each table */
async function insertAll(tx: Executor, lines: FileLines): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let [table, pending, length] = ["", [] as string[], 0];
  let insert: RowInserter = async () => {};
  const flush = async () => {
    if (pending.length > 0) await insert(pending);
    [pending, length] = [[], 0];
  };
  let number = 0;
  let end: { rows: number } | undefined;
  for await (const line of lines()) {
    if (number++ === 0) continue;
    const [, name = "", row = ""] = /^\["(\w+)",(\{.*\})\]$/s.exec(line) ?? [];
    if (name === "") {
      end = JSON.parse(line) as { rows: number };
      break;
    }
    if (name !== table || length > maxLength || pending.length === maxRows) await flush();
    if (name !== table) insert = await inserterOf(tx, (table = name));
    pending.push(row);
    length += row.length;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  await flush();
  if (end?.rows !== number - 2) throw new OwnerFileError("The file is incomplete. Export the owner again.");
  return counts;
}

async function inserterOf(tx: Executor, name: string): Promise<RowInserter> {
  const table = tablesInFile[name];
  if (!table)
    throw new OwnerFileError(`The file has the table ${name}, which this version of Countersign does not know.`);
  const insert = await rowInserter(tx, name, table);
  return async (rows) => {
    if (name === "dataKeys") rows.forEach(requireDataKey);
    await insert(rows);
  };
}

/** @throws {KeyError} unless this service can decrypt a data key */
function requireDataKey(row: string): void {
  const { id, wrapped, wrappedBy } = JSON.parse(row) as { id: string; wrapped: string; wrappedBy: string };
  openDataKey({ id, wrapped: Buffer.from(wrapped.slice(2), "hex"), wrapped_by: wrappedBy });
}
