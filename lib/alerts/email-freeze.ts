import { everyApp, freeze } from "@/lib/freeze/freeze";
import { isId } from "@/lib/ids";
import { accountKey, isAccountKey } from "./email-unsubscribe";

/*
 * Each alert email has a link that freezes all apps without a sign-in, because an owner may need it
 * on another person's device. The link does nothing else, and the owner can undo its effect. Like
 * the link that turns the emails off, it stops working when the owner changes the address or
 * password, or signs out everywhere.
 */
const purpose = "email freeze";

/**
 * Returns the path that freezes all of the owner's apps.
 * @throws if there is no such owner
 */
export async function emailFreezePath(ownerId: string): Promise<string> {
  const key = await accountKey(purpose, ownerId);
  if (key === undefined) throw new Error("no such owner");
  return `/alerts/freeze?${new URLSearchParams({ owner: ownerId, key })}`;
}

/** Returns whether a link is ours and still valid. */
export async function isEmailFreezeLink(ownerId: string, key: string): Promise<boolean> {
  return isId("own", ownerId) && (await isAccountKey(purpose, ownerId, key));
}

/**
 * Freezes all of the owner's apps.
 * @returns false if the link is invalid
 */
export async function freezeByLink(ownerId: string, key: string): Promise<boolean> {
  if (!(await isEmailFreezeLink(ownerId, key))) return false;
  await freeze({ ownerId }, { appId: everyApp, by: "owner" });
  return true;
}
