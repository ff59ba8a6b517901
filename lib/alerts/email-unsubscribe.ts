import { sql } from "@/lib/database/sql";
import { constantTimeEqual, sign } from "@/lib/keys/crypto";
import { isId } from "@/lib/keys/record-ids";
import { accountOf } from "@/lib/owners/owner-sql-for-other-domains";
import { changeSettings } from "@/lib/owners/settings";

/*
 * Owners can turn off their alert emails by a link without a sign-in (RFC 8058), which does nothing
 * else. Its key is bound to the account's email and session version. A new email, a new password or
 * a sign-out everywhere therefore ends the links in older emails.
 */

/** Returns the path that turns the emails off. @throws if there is no such owner */
export async function emailOffPath(ownerId: string): Promise<string> {
  const key = await keyOf(ownerId);
  if (key === undefined) throw new Error("no such owner");
  return `/alerts/unsubscribe?${new URLSearchParams({ owner: ownerId, key })}`;
}

/** Returns whether a link is ours and still valid. */
export async function isEmailOffLink(ownerId: string, key: string): Promise<boolean> {
  const expected = isId("own", ownerId) ? await keyOf(ownerId) : undefined;
  return expected !== undefined && constantTimeEqual(key, expected);
}

/** Turns the emails off. @returns false if the link is invalid */
export async function switchEmailOff(ownerId: string, key: string): Promise<boolean> {
  if (!(await isEmailOffLink(ownerId, key))) return false;
  // The link identifies the owner. RFC 8058 requires that one press is enough.
  await changeSettings({ kind: "owner", ownerId, fresh: true }, { emailAlerts: false });
  return true;
}

async function keyOf(ownerId: string): Promise<string | undefined> {
  const account = await sql<{ email: string; session_version: number }>`
    SELECT email, session_version
    FROM ${accountOf(sql`${ownerId}`)} AS o`.row();
  return account && sign("email off", JSON.stringify([ownerId, account.email, account.session_version]));
}
