import { sql } from "@/lib/database/sql";
import { isId } from "@/lib/ids";
import { isSigned, sign } from "@/lib/keys/crypto";
import { accountOf } from "@/lib/owners/owner-sql-for-other-domains";
import { changeSettings } from "@/lib/owners/settings";

/*
 * Each alert email has a link that turns alert emails off without a sign-in (RFC 8058), and does
 * nothing else. The link's key is bound to the account's email address and session version.
 * Changing the address or password, or signing out everywhere, therefore invalidates the links in
 * older emails.
 */

/**
 * Returns the path that turns the owner's alert emails off.
 * @throws if there is no such owner
 */
export async function emailOffPath(ownerId: string): Promise<string> {
  const account = await boundTo(ownerId);
  if (account === undefined) throw new Error("no such owner");
  return `/alerts/unsubscribe?${new URLSearchParams({ owner: ownerId, key: sign(purpose, account) })}`;
}

/** Returns whether a link is ours and still valid. */
export async function isEmailOffLink(ownerId: string, key: string): Promise<boolean> {
  const account = isId("own", ownerId) ? await boundTo(ownerId) : undefined;
  return account !== undefined && isSigned(purpose, account, key);
}

/**
 * Turns the owner's alert emails off.
 * @returns false if the link is invalid
 */
export async function switchEmailOff(ownerId: string, key: string): Promise<boolean> {
  if (!(await isEmailOffLink(ownerId, key))) return false;
  // The link replaces a recent sign-in, because RFC 8058 requires that one press be enough.
  await changeSettings({ kind: "owner", ownerId, fresh: true }, { emailAlerts: false });
  return true;
}

const purpose = "email off";

/** Returns what the link's key signs. */
async function boundTo(ownerId: string): Promise<string | undefined> {
  const account = await sql<{ email: string; session_version: number }>`
    SELECT email, session_version
    FROM ${accountOf(sql`${ownerId}`)} AS o`.row();
  return account && JSON.stringify([ownerId, account.email, account.session_version]);
}
