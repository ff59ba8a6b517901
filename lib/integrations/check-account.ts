import { clock } from "@/lib/clock";
import { db, type Transaction } from "@/lib/database/db";
import { affects, type Change, change } from "@/lib/events/change-transaction";
import { KeyError } from "@/lib/keys/data-keys";
import { log } from "@/lib/log";
import { retry } from "@/lib/work/retry";
import { lockAccount, noteScopes, recordOutcome } from "./account-status";
import { clientFor } from "./provider-catalog";
import { type Credential, type ProviderClient, ProviderFault, type Renewed } from "./providers/provider";
import { CredentialUnreadable, openCredential, storeCredential } from "./vault";

/*
 * A provider's response can arrive after the credential used for the request has been replaced.
 * `integration_secret.version` therefore increases with each new credential, and a response is
 * stored only if the version is unchanged. Key rotation does not change the version.
 */

/** An account that this instance has leased for a check. */
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

/**
 * Dependencies of a check: the provider clients and a timeout in milliseconds, which tests can
 * replace, and a signal for shutdown.
 */
export type ProviderAccess = {
  clientFor?: (provider: string) => ProviderClient;
  timeoutMs?: number;
  stopping?: AbortSignal;
};

/**
 * The duration of a lease, in seconds. It is far longer than a check, so a lease expires only if
 * its instance died.
 */
export const leaseSeconds = 60;

/**
 * Timeouts for a provider, in milliseconds. The timeout for OAuth is shorter, so that an instance
 * that shuts down can still store a new credential. An interrupted password check loses nothing.
 */
const providerTimeoutMs = { oauth: 8000, mail: 20_000 };
/** How much longer to wait for a provider client that ignores the timeout, in milliseconds. */
const graceMs = 1000;

type Fault = Pick<ProviderFault, "reason" | "final" | "retryAfter">;
/** The outcome of a check. */
type CheckResult = { works: Renewed } | { fault: Fault };
/** The credential that was stored when the check began, with its version. */
type HeldCredential = { credential?: Credential; version: number | undefined };

/**
 * Checks a leased account with its provider. Records the outcome in one transaction, which ends the
 * lease. If the lease was lost, the outcome is recorded only if the provider issued a new
 * credential.
 * @param renew see `ProviderClient`
 * @throws only if the database is unavailable; the lease then expires
 */
export async function checkAccount(
  leased: LeasedAccount,
  { renew, ...speaking }: ProviderAccess & { renew: boolean },
): Promise<void> {
  const [held, problem] = await readHeld(leased);
  const { credential } = held;
  if (!credential) return write(leased, held, { fault: problem ?? unreadable });

  const timeoutMs = speaking.timeoutMs ?? providerTimeoutMs[credential.kind];
  const answer = ask(leased, credential, renew, timeoutMs, speaking.clientFor ?? clientFor);
  const result = await Promise.race([answer, clock.pause(timeoutMs + graceMs, undefined, { ref: false })]);
  if (result) return write(leased, held, result);
  // After the timeout, the provider may still issue a new credential and reject the old one.
  answer
    .then((late) => ("works" in late && late.works.credential ? write(leased, held, late) : undefined))
    .catch((error) =>
      log.error("could not store a refreshed credential", undefined, { account: leased.id, at: stackFrames(error) }),
    );
  await write(leased, held, { fault: { reason: "provider_down", final: false } });
}

const unreadable: Fault = { reason: "credential_unreadable", final: true };

async function readHeld(leased: LeasedAccount): Promise<[HeldCredential, problem?: Fault]> {
  // Reads the version first. If the credential is replaced in the meantime, a failure to decrypt
  // the old one must not count against the new one.
  const version = await versionOf(db, leased);
  try {
    return [(await openCredential(db, leased)) ?? { version }];
  } catch (error) {
    const about = { account: leased.id, provider: leased.provider, reason: (error as Error).message };
    if (!(error instanceof CredentialUnreadable) && !(error instanceof KeyError)) throw error;
    log.error("could not decrypt the credential of a linked account", undefined, about);
    // A missing key is not a final fault, because another instance may have the key.
    return [{ version }, error instanceof KeyError ? { ...unreadable, final: false } : unreadable];
  }
}

async function ask(
  { id, provider, issuer, subject, email, name }: LeasedAccount,
  credential: Credential,
  renew: boolean,
  timeoutMs: number,
  speak: NonNullable<ProviderAccess["clientFor"]>,
): Promise<CheckResult> {
  const account = { issuer, subject, email, ...(name && { name }) };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return { works: await speak(provider).check(credential, { account, renew, signal }) };
  } catch (error) {
    if (error instanceof ProviderFault) {
      const { reason, final, message } = error;
      log.info("a linked account failed its check", { account: id, provider, reason, final, fault: message });
      return { fault: error };
    }
    // Omits the message, because an unexpected error's message may contain a secret.
    log.error("could not check a linked account", undefined, { account: id, provider, at: stackFrames(error) });
    return { fault: { reason: "provider_misbehaves", final: false } };
  }
}

/** Returns an error's name and stack, without its message. */
export const stackFrames = (error: unknown): string =>
  error instanceof Error
    ? [error.name, ...(error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))].join("\n")
    : typeof error;

/**
 * The delays between attempts to store a new credential, in milliseconds. A credential that could
 * not be stored would be lost, because the provider would not issue it again.
 */
const retries = [100, 500, 1000, 2000, 4000, 8000];

function write(leased: LeasedAccount, held: HeldCredential, result: CheckResult): Promise<void> {
  const pauses = "works" in result && result.works.credential ? retries : [];
  const failed = (error: unknown) =>
    log.warn("could not store a refreshed credential; the service will retry", { reason: (error as Error).name });
  return retry(() => writeOnce(leased, held, result), pauses, failed);
}

async function writeOnce(leased: LeasedAccount, held: HeldCredential, result: CheckResult): Promise<void> {
  await change(null, async (tx) => {
    const row = await lockAccount(tx, leased.id);
    if (!row) return;
    const mine = row.lease === leased.lease;
    if ((await versionOf(tx, leased)) !== held.version) {
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

/**
 * Returns the version of the stored credential, which cannot change while the caller holds the
 * account's row lock.
 */
async function versionOf(
  tx: Pick<Transaction, "integrationSecret">,
  { id: integrationId, ownerId }: LeasedAccount,
): Promise<number | undefined> {
  const row = await tx.integrationSecret.findUnique({ where: { integrationId, ownerId }, select: { version: true } });
  return row?.version;
}

/** Stores the current name and email that the provider reported. The account keeps its identity. */
async function noteName(
  tx: Change,
  { id, ownerId, email, name }: LeasedAccount,
  current: { email: string; name?: string },
): Promise<void> {
  const accountName = current.name ?? name;
  if (current.email === email && accountName === name) return;
  await tx.integration.update({ where: { id }, data: { email: current.email, accountName } });
  affects(tx, ownerId);
}
