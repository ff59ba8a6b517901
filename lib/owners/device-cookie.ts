import { randomBytes } from "node:crypto";
import { clock } from "@/lib/clock";
import { isSigned, sign } from "@/lib/keys/crypto";
import { ownerOfEmail } from "./find-accounts";
import type { Entrance } from "./schema";

/*
 * Guesses by strangers must not lock an owner out. A device cookie (OWASP) shows that an owner has
 * signed in with this browser. The browser then has its own limit for guesses, and its sign-ins are
 * not reported as new. The cookie grants no access. For each recent owner, it contains a mark
 * `nonce.issued.tag`; marks are separated by "~". A mark contains no ID or email address, and
 * becomes invalid when all of the owner's sessions are ended.
 */

/** The maximum number of owners with a mark in the same cookie. */
const maxOwners = 5;
/** The maximum lifetime of cookies in browsers, in seconds. */
export const browserSeconds = 400 * 24 * 60 * 60;

type Mark = { text: string; nonce: string; issued: number; tag: string };

/** Returns a cookie's well-formed, unexpired marks. */
function marksOf(cookie: string): Mark[] {
  const now = clock.now() / 1000;
  return cookie
    .split("~", maxOwners)
    .flatMap((text) => {
      const [, nonce, issued, tag] = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/.exec(text) ?? [];
      return nonce && issued && tag ? [{ text, nonce, issued: Number.parseInt(issued, 36), tag }] : [];
    })
    .filter(({ issued }) => issued > now - browserSeconds);
}

const purpose = "known-browser";
const boundTo = (owner: Entrance, nonce: string, issued: number) =>
  JSON.stringify([owner.ownerId, owner.sessionVersion, nonce, issued]);

const isOf = (owner: Entrance, { nonce, issued, tag }: Mark) => isSigned(purpose, boundTo(owner, nonce, issued), tag);

/**
 * Whether the owner has signed in with this browser since all of their sessions were last ended.
 */
export const isKnownDevice = (cookie: string, owner: Entrance): boolean =>
  marksOf(cookie).some((mark) => isOf(owner, mark));

/**
 * Returns the browser's nonce for this account, or undefined if the cookie has no valid mark for
 * the account's owner.
 * @param account an email address in lowercase
 */
export async function knownBrowser(cookie: string, account: string): Promise<string | undefined> {
  const marks = marksOf(cookie);
  if (marks.length === 0) return undefined;
  const owner = await ownerOfEmail(account);
  if (!owner) return undefined;
  return marks.find((mark) => isOf({ ownerId: owner.id, sessionVersion: owner.sessionVersion }, mark))?.nonce;
}

/**
 * Returns the device cookie for a browser in which an owner has just signed in.
 * @param cookie the browser's previous device cookie
 */
export function issueDeviceCookie(cookie: string, owner: Entrance): string {
  const [nonce, issued] = [randomBytes(16).toString("base64url"), Math.floor(clock.now() / 1000)];
  const others = marksOf(cookie).filter((mark) => !isOf(owner, mark));
  const mine = `${nonce}.${issued.toString(36)}.${sign(purpose, boundTo(owner, nonce, issued))}`;
  return [mine, ...others.map(({ text }) => text)].slice(0, maxOwners).join("~");
}
