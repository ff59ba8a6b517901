import { processSingleton } from "@/lib/work/process-singleton";

/**
 * Timeouts for the database in milliseconds, all in one place, so that an app gets a 503 within 3.5
 * s if the database is down, frozen or locked.
 */
export const databaseLimits = processSingleton("database limits", () => limitsTimes(factor()));

/**
 * A factor for all limits. Our own tests run on machines many times slower, where these limits
 * would fail valid requests. Operators have no reason to change it, so it is not a setting.
 */
const factor = () => Number(process.env.COUNTERSIGN_DATABASE_PATIENCE) || 1;

const limitsTimes = (factor: number) => ({
  /** Waiting for a connection in an app's request, because the app retries. */
  appAcquireTimeoutMs: 1000 * factor,
  /** The same for a page or background work: a short wait beats a failed page. */
  patientConnectionWait: 5000 * factor,
  /** One statement. */
  statement: 2000 * factor,
  /** The response to a statement, which PostgreSQL may be too busy to cancel. */
  reply: 2000 * factor + 500,
  /** A transaction waiting for its next statement. */
  idleTransaction: 10_000 * factor,
  /** Prisma's transactions: to begin, and in total by default. */
  transactionBegin: 2000 * factor,
  transaction: 5000 * factor,
  /** The `SELECT 1` of a health check. */
  health: 1000 * factor,
});
