import type { OwnerActor, SessionOwner, SignInMethod } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { AppError, badRequest, notFound, sqlState } from "@/lib/errors";
import { type Change, change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { ipPrefix } from "@/lib/net/ip-prefix";
import { validate } from "@/lib/text/validate";
import { confirmNewAccount, emailTaken, requestEmailChange } from "./email-confirmation";
import {
  newReachableOwnerId,
  ownerOfEmail,
  releaseEmail,
  releaseFormerEmails,
  reserveEmail,
  reserveNewEmail,
} from "./find-accounts";
import { consumeAttempt } from "./fixed-window-limiter";
import { hashPassword, isPassword } from "./passwords";
import * as forms from "./schema";
import { endEverySession, requireRecentSignIn } from "./sessions";
import { limitedReauthentication, limitedSignIn, type SignInOrigin } from "./sign-in-limits";

/**
 * Creates an account. With `first`, creates only the service's first account, even if several calls
 * run concurrently. With `confirmed`, the address counts as confirmed, because the operator vouches
 * for it.
 * @throws {AppError} 400 naming the problem; 409 if the email has an account; with `first`, 404 if
 * an owner exists
 */
export async function createOwner(
  input: forms.NewOwner,
  { first = false, confirmed = false } = {},
): Promise<{ ownerId: string; email: string }> {
  const { email, name, password } = validate(forms.NewOwner, input);
  const ownerId = await newReachableOwnerId();
  const passwordHash = await hashPassword(password);
  const refused = () => (first ? notFound() : emailTaken());
  if (!(await reserveEmail(ownerId, email, first))) throw refused();
  await change(null, async (tx) => {
    const made = await sql`
      INSERT INTO owner (id, email, confirmed_email, name, password_hash, first)
      SELECT ${ownerId}, ${email}, ${confirmed ? email : null}, ${name}, ${passwordHash},
        ${first ? true : null}::boolean
      WHERE NOT ${first} OR NOT EXISTS (SELECT FROM email_route)
      ON CONFLICT DO NOTHING`.run(tx);
    if (made === 0) throw refused();
    await record(tx, { ownerId, type: "owner.created", subject: ownerId });
  }).catch(async (error) => {
    // After an outage, the account may exist nevertheless, so a chore decides.
    if (error instanceof AppError) await releaseEmail(ownerId, email);
    throw sqlState(error) === "23505" ? refused() : error;
  });
  return { ownerId, email };
}

/**
 * Creates a visitor's account if the operator allows sign-ups, and emails a confirmation link.
 * @param address the visitor's IP address, whose network may make ten attempts an hour
 * @throws {AppError} 404 unless SIGNUPS is open; 429 after ten attempts an hour; also the errors of
 * createOwner
 */
export async function signUp(input: forms.NewOwner, address: string): Promise<forms.Entrance> {
  if (env().signups !== "open") throw notFound();
  const message = "Too many accounts were created from your network. Try again later.";
  await consumeAttempt("sign-up", ipPrefix(address), { max: 10, seconds: 3600 }, message);
  return enterNewAccount(await createOwner(input));
}

/**
 * Sends a confirmation link in the background, and returns the value that starts the new account's
 * session.
 */
export function enterNewAccount(made: { ownerId: string; email: string }): forms.Entrance {
  // Not awaited, because a mail server can be slow.
  void confirmNewAccount(made);
  return { ownerId: made.ownerId, sessionVersion: 1 };
}

/**
 * Finds the owner with these credentials. For an unknown email, takes as long as for a wrong
 * password, and throws the same error. `limitedSignIn` limits the guesses.
 * @throws {AppError} 401, 429 with Retry-After
 */
export const signIn = ({ password, ...who }: forms.Credentials & SignInOrigin): Promise<forms.Entrance> =>
  limitedSignIn("password", who, (account) => checkPassword(account, password));

/**
 * Confirms a signed-in owner's identity by password.
 * @throws {AppError} 401, 429 with Retry-After
 */
export const reauthenticateWithPassword = (
  { email, session }: { email: string; session: string },
  { password, address }: { password: string; address: string },
): Promise<forms.Entrance> =>
  limitedReauthentication({ email, session, address }, () => checkPassword(email, password));

async function checkPassword(email: string, password: string): Promise<forms.Entrance> {
  const owner = await ownerOfEmail(email);
  if (!(await isPassword(password, owner?.passwordHash)) || !owner) {
    throw new AppError(401, "The email or password is wrong");
  }
  return { ownerId: owner.id, sessionVersion: owner.sessionVersion };
}

/**
 * Changes the account's name or email. A new address takes effect once it is confirmed or, without
 * a mail server, immediately.
 * @throws {AppError} 400 naming the problem; 403 (SignInAgain) for a new email without a recent
 * sign-in; 409 if another account has the email; also the errors of requestEmailChange
 */
export async function changeAccount(
  owner: SessionOwner & { name: string; email: string },
  input: forms.AccountChange,
): Promise<void> {
  const wanted = validate(forms.AccountChange, input);
  const moves = wanted.email !== owner.email;
  if (moves) requireRecentSignIn(owner);
  const confirms = moves && env().mail !== undefined;
  const email = moves && !confirms ? wanted.email : undefined;
  const changed = [...(wanted.name !== owner.name ? ["name"] : []), ...(email !== undefined ? ["email"] : [])];
  // The step that can fail comes first. If it fails, nothing has changed.
  if (confirms) await requestEmailChange(owner, wanted.email);
  if (changed.length > 0) await changeNow(owner, { name: wanted.name, email }, changed);
}

/**
 * Changes the account immediately.
 * @param to the new name and email; undefined keeps the current email
 */
async function changeNow(
  { ownerId }: OwnerActor,
  to: { name: string; email: string | undefined },
  changed: string[],
): Promise<void> {
  await change({ ownerId }, async (tx) => {
    if (to.email !== undefined && !(await reserveNewEmail(tx, ownerId, to.email))) throw emailTaken();
    await sql`
      UPDATE owner
      SET name = ${to.name}, email = coalesce(${to.email ?? null}, email)
      WHERE id = ${ownerId}`.run(tx);
    // Links sent to the former address stop working.
    if (to.email !== undefined) await tx.signInLink.deleteMany({ where: { ownerId, usedAt: null } });
    await record(tx, { ownerId, type: "owner.changed", subject: ownerId, data: { changed } });
  }).catch((error) => {
    throw sqlState(error) === "23505" ? emailTaken() : error;
  });
  if (to.email !== undefined) await releaseFormerEmails(ownerId, to.email);
}

/**
 * Changes the password, and ends every session. The caller must start a new session from the
 * returned value. This browser keeps its alerts.
 * @throws {AppError} 400 if the current password is wrong or the new one is invalid; 429 after too
 * many wrong passwords
 */
export async function changePassword(
  owner: OwnerActor & { email: string; session: string },
  { current, next, address }: forms.PasswordChange & { address: string },
): Promise<forms.Entrance> {
  validate(forms.Password, next, ["next"]);
  const { passwordHash } = await db.owner.findUniqueOrThrow({ where: { id: owner.ownerId } });
  await reauthenticateWithPassword(owner, { password: current, address }).catch((error) => {
    throw error instanceof AppError && error.status === 401
      ? badRequest("The current password is wrong", "current")
      : error;
  });
  return replacePassword(owner.ownerId, passwordHash, next, owner.session);
}

/**
 * Sets a new password without the current one, for an owner who signed in by another method. Ends
 * every session, and stops the alerts of all browsers. The caller must start a new session from the
 * returned value.
 * @throws {AppError} 400 if the password is invalid; 403 unless the sign-in is recent and
 * `mayReset` allows its method
 */
export async function resetPassword(
  owner: SessionOwner & { method: SignInMethod; session: string },
  { next }: forms.PasswordReset,
): Promise<forms.Entrance> {
  requireRecentSignIn(owner);
  if (!forms.mayReset(owner.method))
    throw new AppError(
      403,
      "To set a new password after this type of sign-in, you must enter your current password. Change your password in Settings.",
    );
  validate(forms.Password, next, ["next"]);
  const live = { id: owner.ownerId, sessions: { some: { id: owner.session, endedAt: null } } };
  const found = await db.owner.findFirst({ where: live, select: { passwordHash: true } });
  if (!found) throw justChanged();
  return replacePassword(owner.ownerId, found.passwordHash, next);
}

/**
 * Replaces the password, and ends every session.
 * @param before the previous hash, so that only one of two concurrent changes succeeds
 * @param but the session whose browser keeps its alerts
 */
async function replacePassword(ownerId: string, before: string, next: string, but?: string): Promise<forms.Entrance> {
  const passwordHash = await hashPassword(next);
  const sessionVersion = await change({ ownerId }, async (tx) => {
    const changed = await tx.owner.updateMany({ where: { id: ownerId, passwordHash: before }, data: { passwordHash } });
    if (changed.count === 0) throw justChanged();
    await record(tx, { ownerId, type: "owner.password_changed", subject: ownerId });
    return endEverySession(tx, ownerId, but);
  });
  return { ownerId, sessionVersion };
}

const justChanged = () => badRequest("Your password was just changed. Sign in again.", "next");

/** Ends all of the owner's sessions. */
export async function signOutEverywhere({ ownerId }: OwnerActor): Promise<void> {
  await change({ ownerId }, async (tx) => {
    await endEverySession(tx, ownerId);
    await record(tx, { ownerId, type: "owner.signed_out", subject: ownerId, data: { everywhere: true } });
  });
}

/**
 * Locks an account that is about to be deleted. Concurrent sign-ins wait, and then find no account.
 * @throws {AppError} 404
 */
export async function lockOwner(tx: Change, ownerId: string): Promise<{ email: string }> {
  const found = await sql<{ email: string }>`
    SELECT email
    FROM owner
    WHERE id = ${ownerId}
    FOR UPDATE`.row(tx);
  if (!found) throw notFound();
  return found;
}

/** Deletes an account. The account's other data must already be deleted. */
export async function deleteAccount(tx: Change, ownerId: string): Promise<void> {
  await sql`DELETE FROM owner WHERE id = ${ownerId}`.run(tx);
  await record(tx, { ownerId, type: "owner.deleted", subject: ownerId });
}
