import { sameText, sign } from "@/lib/keys/crypto";
import { isId } from "@/lib/keys/ids";
import { changeSettings } from "@/lib/owners/settings";

/** Where an owner switches off the e-mails about what waits, without signing in. Nothing else can be done with it. */
export const emailOffPath = (ownerId: string): string => `/alerts/unsubscribe?owner=${ownerId}&key=${tagOf(ownerId)}`;

/** Whether a link is one of those that we made. */
export const isEmailOffLink = (ownerId: string, key: string): boolean =>
  isId("own", ownerId) && sameText(key, tagOf(ownerId));

/** Switch them off. @returns false for a link that is none of ours */
export async function switchEmailOff(ownerId: string, key: string): Promise<boolean> {
  if (!isEmailOffLink(ownerId, key)) return false;
  // The link shows who they are: one press has to be enough (RFC 8058).
  await changeSettings({ kind: "owner", ownerId, fresh: true }, { emailAlerts: false });
  return true;
}

const tagOf = (ownerId: string) => sign("e-mail off", ownerId);
