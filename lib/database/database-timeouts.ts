import { processSingleton } from "@/lib/work/process-singleton";

/**
 * Timeouts for the database, in milliseconds. Together, they let an app get a 503 within 3.5 s if
 * the database is down, frozen or locked.
 */
export const databaseTimeouts = processSingleton("database timeouts", () => limitsTimes(factor()));

/**
 * Returns a factor for all timeouts. Tests set it on slow machines, where valid requests would
 * otherwise time out. Operators have no reason to change the factor, so it is not a setting.
 */
const factor = () => Number(process.env.COUNTERSIGN_DATABASE_PATIENCE) || 1;

const limitsTimes = (factor: number) => ({
  /** The wait for a connection in an app's request. It is short, because the app retries. */
  appAcquireTimeoutMs: 1000 * factor,
  /**
   * The wait for a connection for a page or background work. A wait is better than a failed page.
   */
  patientConnectionWait: 5000 * factor,
  /** The timeout of one statement. */
  statement: 2000 * factor,
  /** The timeout of a response to a statement that PostgreSQL may be too busy to cancel. */
  reply: 2000 * factor + 500,
  /** The timeout of a transaction that waits for its next statement. */
  idleTransaction: 10_000 * factor,
  /** The timeouts of Prisma's transactions: the time to begin, and the default total. */
  transactionBegin: 2000 * factor,
  transaction: 5000 * factor,
  /** The timeout of a health check's `SELECT 1`. */
  health: 1000 * factor,
});
