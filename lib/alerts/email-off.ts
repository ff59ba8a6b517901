import { sql } from "@/lib/database/sql";
import { constantTimeEqual, sign } from "@/lib/keys/crypto";
import { isId } from "@/lib/keys/ids";
import { changeSettings } from "@/lib/owners/settings";
import { accountOf } from "@/lib/owners/sql";

/*
 * The link that switches off an owner's alert e-mails without a sign-in (RFC 8058). Nothing else can be done with it. Its key
 * holds for the account's address and the version of its sessions, so that another address, another password and signing out
 * everywhere end the links in mails from before.
 */

/** Where an owner switches them off. @throws when there is no such owner */
export async function emailOffPath(ownerId: string): Promise<string> {
  const key = await keyOf(ownerId);
  if (key === undefined) throw new Error("no such owner");
  return `/alerts/unsubscribe?${new URLSearchParams({ owner: ownerId, key })}`;
}

/** Whether a link is one that we made, and still good. */
export async function isEmailOffLink(ownerId: string, key: string): Promise<boolean> {
  const expected = isId("own", ownerId) ? await keyOf(ownerId) : undefined;
  return expected !== undefined && constantTimeEqual(key, expected);
}

/** Switch them off. @returns false for a link that is not good */
export async function switchEmailOff(ownerId: string, key: string): Promise<boolean> {
  if (!(await isEmailOffLink(ownerId, key))) return false;
  // The link shows who they are: one press has to be enough (RFC 8058).
  await changeSettings({ kind: "owner", ownerId, fresh: true }, { emailAlerts: false });
  return true;
}

async function keyOf(ownerId: string): Promise<string | undefined> {
  const account = await sql<{ email: string; session_version: number }>`
    SELECT email, session_version FROM ${accountOf(sql`${ownerId}`)} AS o`.row();
  return account && sign("e-mail off", JSON.stringify([ownerId, account.email, account.session_version]));
}
