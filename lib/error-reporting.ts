import { clock } from "@/lib/clock";
import { AppError, asAppError, driverError } from "./errors";
import { log } from "./log";
import { counter } from "./telemetry/declare-metrics";
import { processSingleton } from "./work/process-singleton";
import { every } from "./work/timer-registry";

/**
 * The reasons for an unavailable database, as shown to the operator. Each matches an SQLSTATE or
 * the driver's message.
 */
const causes: readonly [RegExp, string][] = [
  [/^53300/, "too many connections"],
  [/^53100/, "disk full"],
  [/^53/, "out of memory or another resource"],
  [/^(55P03|40P01)/, "lock timeout or deadlock"],
  [/^40001|^P2034/, "conflicting transactions"],
  [/^57014/, "slow statement or lock wait"],
  [/^25006/, "no writes accepted (standby or read-only)"],
  [/timeout exceeded when trying to connect/, "no free connection"],
  [/Query read timeout/, "no response"],
];

/** The seconds without a failed request after which an outage counts as over. */
const quietSeconds = 5;

type Outage = { began: number; failed: number; quiet: number; counts: Record<string, number>; reason: string };

const unavailable = counter(
  "countersign_database_unavailable_total",
  "Operations that failed because the database was unavailable, by cause. Each affected request returned 503.",
  "cause",
);

const database = processSingleton<{ outage?: Outage }>("outage", () => ({}));

/**
 * Returns the AppError for a thrown value, or undefined for a bug of ours (see `asAppError`). Logs
 * bugs with their stack. Logs an unavailable database immediately, then at most once a second with
 * counts and causes, and once when the database is back.
 * @param what the name of the failed work, for the log
 */
export function reportError(error: unknown, what: string): AppError | undefined {
  const known = asAppError(error);
  if (!known) log.error(what, error);
  else if (known.status === 503 && !(error instanceof AppError)) noteOutage(error);
  return known;
}

function noteOutage(error: unknown) {
  const { code, message } = driverError(error);
  const cause = causes.find(([sign]) => sign.test(code) || sign.test(message))?.[1] ?? "unreachable";
  const it = (database().outage ??= begin());
  it.counts[cause] = (it.counts[cause] ?? 0) + 1;
  unavailable([cause]);
  it.reason = message.trim();
  if (it.failed === 0) tell(it);
}

function begin(): Outage {
  const it: Outage = { began: clock.elapsed(), failed: 0, quiet: 0, counts: {}, reason: "" };
  const cancel = every(1000, () => {
    if (Object.keys(it.counts).length > 0) return tell(it);
    if (++it.quiet < quietSeconds) return;
    cancel();
    delete database().outage;
    const seconds = Math.round((clock.elapsed() - it.began) / 1000) - quietSeconds;
    log.info("the database is available again", { failed: it.failed, seconds });
  });
  return it;
}

function tell(outage: Outage) {
  const { counts, reason } = outage;
  const count = Object.values(counts).reduce((sum, n) => sum + n, 0);
  Object.assign(outage, { failed: outage.failed + count, quiet: 0, counts: {} });
  log.warn("the database is unavailable", { count, causes: counts, reason });
}
