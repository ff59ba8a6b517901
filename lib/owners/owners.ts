import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError, badRequest, notFound } from "@/lib/errors";
import { record } from "@/lib/events/events";
import { announce } from "@/lib/events/hub";
import { newId } from "@/lib/ids";
import { validate } from "@/lib/validate";
import { hashPassword, isPassword } from "./passwords";
import { type Credentials, NewOwner, type OwnerSummary, Password, type PasswordChange } from "./schema";
import { addressGroup, clearAttempts, countAttempt, forgiveAttempt } from "./throttle";

/**
 * Make an account. With `first` it is made only while there is no owner at all, and only one of any number of racers
 * succeeds.
 * @throws {AppError} 400 naming what is wrong; 409 when the e-mail has an account; with `first`, 404 once anybody has one
 */
export async function createOwner(input: NewOwner, { first = false } = {}): Promise<{ ownerId: string }> {
  const { email, name, password } = validate(NewOwner, input);
  const ownerId = newId("own");
  const passwordHash = await hashPassword(password);
  await db.$transaction(async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO owner (id, email, name, password_hash, first)
      SELECT ${ownerId}, ${email}, ${name}, ${passwordHash}, ${first ? true : null}::boolean
      WHERE NOT ${first} OR NOT EXISTS (SELECT FROM owner)
      ON CONFLICT DO NOTHING`;
    if (made === 0) throw first ? notFound() : emailTaken();
    await record(tx, { ownerId, type: "owner.created", subject: ownerId });
  });
  return { ownerId };
}

const emailTaken = () => {
  const message = "That e-mail already has an account";
  return new AppError(409, message, { details: [{ path: "email", message }] });
};

/**
 * Make an account for whoever asks, where the operator allows it.
 * @param address where the request came from; ten accounts an hour may be tried from each
 * @throws {AppError} 404 unless SIGNUPS is open; otherwise as createOwner; 429
 */
export async function signUp(input: NewOwner, address: string): Promise<{ ownerId: string; sessionVersion: number }> {
  if (env().signups !== "open") throw notFound();
  const message = "Too many accounts were made from here. Try again later.";
  await countAttempt("sign-up", addressGroup(address), { most: 10, seconds: 3600 }, message);
  return { ...(await createOwner(input)), sessionVersion: 1 };
}

/** Whether anybody has an account yet. */
export const anyOwner = async (): Promise<boolean> => (await db.owner.findFirst({ select: { id: true } })) !== null;

export async function findOwnerByEmail(email: string): Promise<OwnerSummary | null> {
  const row = await db.owner.findUnique({ where: { email: email.trim().toLowerCase() } });
  return row && asSummary(row);
}

/** Every account, oldest first. For the operator. */
export const listOwners = async (): Promise<OwnerSummary[]> =>
  (await db.owner.findMany({ orderBy: { id: "asc" } })).map(asSummary);

/**
 * Who the credentials belong to. Ten wrong attempts on one account, or thirty from one address, close it for a quarter of
 * an hour; a wrong e-mail takes as long as a wrong password and reads the same.
 * @param address where the request came from
 * @throws {AppError} 401, 429 with Retry-After
 */
export async function signIn({
  email,
  password,
  address,
}: Credentials & { address: string }): Promise<{ ownerId: string; sessionVersion: number }> {
  const account = email.trim().toLowerCase();
  const from = addressGroup(address);
  const message = "Too many attempts. Try again later.";
  await countAttempt("sign-in-address", from, { most: 30, seconds: 900 }, message);
  await countAttempt("sign-in-account", account, { most: 10, seconds: 900 }, message);
  const owner = await db.owner.findUnique({ where: { email: account } });
  if (!(await isPassword(password, owner?.passwordHash)) || !owner) {
    throw new AppError(401, "E-mail or password is wrong");
  }
  await clearAttempts("sign-in-account", account);
  await forgiveAttempt("sign-in-address", from);
  await record(db, { ownerId: owner.id, type: "owner.signed_in", subject: owner.id });
  return { ownerId: owner.id, sessionVersion: owner.sessionVersion };
}

/**
 * Give the account another password. Every session ends, the caller's too: start a new one with the version returned.
 * @throws {AppError} 400 when the current password is wrong or the next one will not do; 429
 */
export async function changePassword(
  { ownerId }: OwnerActor,
  { current, next }: PasswordChange,
): Promise<{ sessionVersion: number }> {
  validate(Password, next, ["next"]);
  const message = "Too many attempts. Try again later.";
  await countAttempt("change-password", ownerId, { most: 10, seconds: 900 }, message);
  const owner = await db.owner.findUnique({ where: { id: ownerId } });
  if (!(await isPassword(current, owner?.passwordHash)) || !owner) {
    throw badRequest("That is not your current password", "current");
  }
  const passwordHash = await hashPassword(next);
  const sessionVersion = await db.$transaction(async (tx) => {
    const changed = await tx.owner.updateManyAndReturn({
      // The hash just checked, so that of two changes at once only one counts.
      where: { id: ownerId, passwordHash: owner.passwordHash },
      data: { passwordHash, sessionVersion: { increment: 1 } },
    });
    if (!changed[0]) throw badRequest("That is not your current password", "current");
    await record(tx, { ownerId, type: "owner.password_changed", subject: ownerId });
    return changed[0].sessionVersion;
  });
  announce(ownerId);
  return { sessionVersion };
}

/** End every session of the owner, wherever it is open. */
export async function signOutEverywhere({ ownerId }: OwnerActor): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.owner.update({ where: { id: ownerId }, data: { sessionVersion: { increment: 1 } } });
    await record(tx, { ownerId, type: "owner.signed_out", subject: ownerId, data: { everywhere: true } });
  });
  announce(ownerId);
}

type Row = { id: string; email: string; name: string; createdAt: Date };
const asSummary = ({ id, email, name, createdAt }: Row): OwnerSummary => ({
  ownerId: id,
  email,
  name,
  createdAt: createdAt.getTime(),
});
