import { processSingleton } from "@/lib/work/process-singleton";

/**
 * How long the service waits for its database before it gives up, in milliseconds: everything here, so that an app reads 503
 * within 3.5 s where the database is away, frozen or locked.
 */
export const databaseLimits = processSingleton("database limits", () => limitsTimes(factor()));

/**
 * The service's own tests run on machines that are many times slower, where these limits would fail requests that nothing is
 * wrong with. They multiply all of them by this; operators have no reason to, so it is no setting.
 */
const factor = () => Number(process.env.COUNTERSIGN_DATABASE_PATIENCE) || 1;

const limitsTimes = (factor: number) => ({
  /** An app's request for a connection: the app tries again. */
  appAcquireTimeoutMs: 1000 * factor,
  /** A page and background work: a person had better wait a little than read that the page did not load. */
  patientConnectionWait: 5000 * factor,
  /** A statement. */
  statement: 2000 * factor,
  /** The reply to a statement, which PostgreSQL may be too busy to cancel. */
  reply: 2000 * factor + 500,
  /** A transaction whose next statement does not come. */
  idleTransaction: 10_000 * factor,
  /** Prisma's transactions: to begin, and as a whole unless a caller says otherwise. */
  transactionBegin: 2000 * factor,
  transaction: 5000 * factor,
  /** `SELECT 1` of a health check. */
  health: 1000 * factor,
});
