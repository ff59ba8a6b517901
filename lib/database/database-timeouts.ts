import { processSingleton } from "@/lib/work/process-singleton";

/**
 * Timeouts for the database, in milliseconds. Together, they ensure that an app gets a 503 within
 * 3.5 s if the database is down, frozen or locked.
 */
export const databaseTimeouts = processSingleton("database timeouts", () => limitsTimes(factor()));

/**
 * Returns a factor for all timeouts. Tests set it on slow machines, where valid requests would
 * otherwise time out. It is not a setting, because operators have no reason to change it.
 */
const factor = () => Number(process.env.COUNTERSIGN_DATABASE_PATIENCE) || 1;

const limitsTimes = (factor: number) => ({
  /**
   * The maximum wait for a connection in an app's request. It is short, because the app retries.
   */
  appAcquireTimeoutMs: 1000 * factor,
  /**
   * The maximum wait for a connection for a page or background work. A slow page is better than a
   * failed page.
   */
  patientConnectionWait: 5000 * factor,
  /** The timeout of one statement. */
  statement: 2000 * factor,
  /**
   * The client's timeout for a statement, in case PostgreSQL is too busy to cancel the statement.
   */
  reply: 2000 * factor + 500,
  /** The timeout of a transaction that is idle between two statements. */
  idleTransaction: 10_000 * factor,
  /** The timeouts of Prisma's transactions: the time to begin, and the default total time. */
  transactionBegin: 2000 * factor,
  transaction: 5000 * factor,
  /** The timeout of a health check's `SELECT 1`. */
  health: 1000 * factor,
});
