/*
 * Named places between two steps of concurrent work, at which tests hold the work to try the orders
 * in which steps can happen (lib/testing/interleavings). Outside of tests, nothing holds.
 */

export type PausePoint =
  | "change made, not committed"
  | "change committed, not published"
  | "batch gathered, not sent"
  | "batch answered, not delivered"
  | "page admitted, nothing read"
  | "counts read, not sent"
  | "stream end read, not subscribed"
  | "events looked up, not delivered"
  | "wait read, not subscribed"
  | "events read, deliveries not queued"
  | "delivery leased, not sent"
  | "delivery sent, not recorded"
  | "held answer locked, not sent"
  | "answer read, use not recorded"
  | "refresh token read, tokens not issued"
  | "event position read, expiry not checked"
  | "shard chosen, statement not sent"
  | "grant frozen, questions not stopped"
  | "alert leased, not sent";

type Hold = (point: PausePoint) => Promise<void> | undefined;
let hold: Hold | undefined;

/** Lets a test hold the work here. */
export const pausePoint = (point: PausePoint): Promise<void> | undefined => hold?.(point);

/** Sets what holds work at the points. Only tests call it. */
export function holdAtPoints(given: Hold | undefined): void {
  hold = given;
}
