import { setTimeout as sleep } from "node:timers/promises";
import { db, type Transaction } from "@/lib/database/db";
import { affects, type Change, change } from "@/lib/events/change";
import { KeyError } from "@/lib/keys/data-keys";
import { log } from "@/lib/log";
import { retry } from "@/lib/work/retry";
import { clientFor } from "./catalogue";
import { type Credential, type ProviderClient, ProviderFault, type Renewed } from "./providers/provider";
import { lockAccount, noteScopes, recordOutcome } from "./status";
import { CredentialUnreadable, openCredential, storeCredential } from "./vault";

/*
 * `integration_secret.version` goes up with each answer of the provider, and an answer is stored only where the secret it was
 * asked with is still the stored one. A rotation of keys changes no version.
 */

/** An account that nobody else looks at while its lease lasts. */
export type LeasedAccount = {
  id: string;
  ownerId: string;
  provider: string;
  issuer: string;
  subject: string;
  email: string;
  name: string | null;
  lease: string;
};

/** Who speaks to providers, and most that one gets (milliseconds), where tests stand in for them; and when this copy is to stop. */
export type ProviderAccess = {
  clientFor?: (provider: string) => ProviderClient;
  longest?: number;
  stopping?: AbortSignal;
};

/** Seconds that a lease lasts: far longer than a look, so that it runs out only where a copy died. */
export const leaseSeconds = 60;

/**
 * Most that a provider gets, in milliseconds. What it gives us has to be kept before a copy that is told to stop must be
 * gone; of a password nothing is lost.
 */
const longest = { oauth: 8000, mail: 20_000 };
/** Who does not keep to it is not waited for. */
const patience = 1000;

type Fault = Pick<ProviderFault, "reason" | "final" | "retryAfter">;
/** What came of a look. */
type CheckResult = { works: Renewed } | { fault: Fault };
/** What was kept when the look began. */
type HeldCredential = { credential?: Credential; version: number | undefined };

/**
 * Have the provider of a leased account say whether it still works, and write down what came of it in one transaction, which
 * ends the lease. What it gave us in place of what we held is kept whatever became of the lease meanwhile, unless the owner
 * linked the account again. A look says something only of the credential that it began with.
 * @param renew as in `ProviderClient`
 * @throws only when the database is away; the lease then runs out by itself
 */
export async function checkAccount(
  leased: LeasedAccount,
  { renew, ...speaking }: ProviderAccess & { renew: boolean },
): Promise<void> {
  const [held, problem] = await readHeld(leased);
  const { credential } = held;
  if (!credential) return write(leased, held, { fault: problem ?? unreadable });

  const most = speaking.longest ?? longest[credential.kind];
  const answer = ask(leased, credential, renew, most, speaking.clientFor ?? clientFor);
  const result = await Promise.race([answer, sleep(most + patience, undefined, { ref: false })]);
  if (result) return write(leased, held, result);
  // Should it still give us something, then it takes nothing else any more.
  answer
    .then((late) => ("works" in late && late.works.credential ? write(leased, held, late) : undefined))
    .catch((error) =>
      log.error("a renewed credential was lost", undefined, { account: leased.id, at: stackFrames(error) }),
    );
  await write(leased, held, { fault: { reason: "provider_down", final: false } });
}

const unreadable: Fault = { reason: "credential_unreadable", final: true };

async function readHeld(leased: LeasedAccount): Promise<[HeldCredential, problem?: Fault]> {
  // Read first: should there be another by the time it is opened, the outcome is not about that one.
  const version = await versionOf(db, leased.id);
  try {
    return [(await openCredential(db, leased)) ?? { version }];
  } catch (error) {
    const about = { account: leased.id, provider: leased.provider, reason: (error as Error).message };
    if (!(error instanceof CredentialUnreadable) && !(error instanceof KeyError)) throw error;
    log.error("the credential of a linked account cannot be decrypted", undefined, about);
    // Without the key it may be this copy alone that cannot; the account itself may be whole.
    return [{ version }, error instanceof KeyError ? { ...unreadable, final: false } : unreadable];
  }
}

async function ask(
  { id, provider, issuer, subject, email, name }: LeasedAccount,
  credential: Credential,
  renew: boolean,
  most: number,
  speak: NonNullable<ProviderAccess["clientFor"]>,
): Promise<CheckResult> {
  const account = { issuer, subject, email, ...(name && { name }) };
  try {
    const signal = AbortSignal.timeout(most);
    return { works: await speak(provider).check(credential, { account, renew, signal }) };
  } catch (error) {
    if (error instanceof ProviderFault) {
      const { reason, final, message: said } = error;
      log.info("a linked account did not work", { account: id, provider, reason, final, said });
      return { fault: error };
    }
    // A message of whatever this is may have anything in it.
    log.error("checking a linked account failed", undefined, { account: id, provider, at: stackFrames(error) });
    return { fault: { reason: "provider_misbehaves", final: false } };
  }
}

/** An error's name and where it was, without its message. */
export const stackFrames = (error: unknown): string =>
  error instanceof Error
    ? [error.name, ...(error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))].join("\n")
    : typeof error;

/** How long to wait for a database that does not take what cannot be had a second time, in milliseconds. */
const retries = [100, 500, 1000, 2000, 4000, 8000];

function write(leased: LeasedAccount, held: HeldCredential, result: CheckResult): Promise<void> {
  const pauses = "works" in result && result.works.credential ? retries : [];
  const failed = (error: unknown) =>
    log.warn("a renewed credential could not be stored; will retry", { reason: (error as Error).name });
  return retry(() => writeOnce(leased, held, result), pauses, failed);
}

async function writeOnce(leased: LeasedAccount, held: HeldCredential, result: CheckResult): Promise<void> {
  await change(null, async (tx) => {
    const row = await lockAccount(tx, leased.id);
    if (!row) return;
    const mine = row.lease === leased.lease;
    if ((await versionOf(tx, leased.id)) !== held.version) {
      if (mine) await tx.integration.update({ where: { id: row.id }, data: { lease: null, leaseUntil: null } });
      return;
    }
    if ("fault" in result) {
      if (mine) await recordOutcome(tx, row, { kind: "failed", fault: result.fault });
      return;
    }

    const { credential: given, scopes, account } = result.works;
    const credential = given ?? held.credential;
    if (!credential || (!mine && !given)) return;
    if (given) await storeCredential(tx, leased, given, held.version);
    if (scopes) await noteScopes(tx, row, scopes);
    if (account) await noteName(tx, leased, account);
    await recordOutcome(tx, row, { kind: "works", credential, renewed: given !== undefined });
  });
}

/** Under the account's lock: whoever stores holds it too. */
async function versionOf(tx: Pick<Transaction, "integrationSecret">, id: string): Promise<number | undefined> {
  const row = await tx.integrationSecret.findUnique({ where: { integrationId: id }, select: { version: true } });
  return row?.version;
}

/** People change their names and addresses; whose account it is stays. */
async function noteName(
  tx: Change,
  { id, ownerId, email, name }: LeasedAccount,
  said: { email: string; name?: string },
): Promise<void> {
  const accountName = said.name ?? name;
  if (said.email === email && accountName === name) return;
  await tx.integration.update({ where: { id }, data: { email: said.email, accountName } });
  affects(tx, ownerId);
}
