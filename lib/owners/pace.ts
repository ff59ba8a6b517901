import { pool } from "@/lib/db";
import { tooMany } from "@/lib/errors";
import { keyOf } from "./throttle";

/** So many at once, and from then on one in so many seconds. */
export type Pace = { burst: number; seconds: number };

/** What is counted together, and how fast it may go. */
export type Paced = { kind: string; what: string; pace: Pace };

/**
 * Count one, or refuse it where it comes too fast (the generic cell rate algorithm of ITU-T I.371: a row holds only when the
 * next one would be due).
 */
async function keepPace({ kind, what, pace: { burst, seconds } }: Paced): Promise<void> {
  const key = keyOf(kind, what);
  const { rowCount } = await pool().query({
    name: "keep-pace",
    text: `INSERT INTO throttle (key, failures, expires_at) VALUES ($1, 1, now() + make_interval(secs => $2))
      ON CONFLICT (key) DO UPDATE SET expires_at = greatest(throttle.expires_at, now()) + make_interval(secs => $2)
      WHERE throttle.expires_at <= now() + make_interval(secs => $2 * $3)`,
    values: [key, seconds, burst - 1],
  });
  if (rowCount === 1) return;
  const { rows } = await pool().query<{ wait: number }>({
    name: "keep-pace-wait",
    text: "SELECT extract(epoch FROM expires_at - now())::float8 - $2::float8 AS wait FROM throttle WHERE key = $1",
    values: [key, seconds * (burst - 1)],
  });
  const wait = Math.min(seconds, Math.max(1, Math.ceil(rows[0]?.wait ?? 1)));
  throw tooMany(`Too many attempts. Try again in ${words(wait)}.`, wait);
}

const words = (seconds: number) => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "a second" : `${seconds} seconds`;
};

/**
 * Count one attempt before it is made, in each of these counts or in none. Unlike a window that closes, a pace keeps nobody
 * out for longer than its seconds. Shared by every copy of the service.
 * @throws {AppError} 429 with Retry-After, at most `pace.seconds`
 */
export async function keepPaces(all: Paced[]): Promise<void> {
  const counted: Paced[] = [];
  try {
    for (const each of all) {
      await keepPace(each);
      counted.push(each);
    }
  } catch (error) {
    await Promise.all(counted.map(giveBack));
    throw error;
  }
}

/** Take one back: it is not to be counted. */
export const giveBack = ({ kind, what, pace }: Paced) =>
  pool().query({
    name: "give-back",
    text: "UPDATE throttle SET expires_at = expires_at - make_interval(secs => $2) WHERE key = $1",
    values: [keyOf(kind, what), pace.seconds],
  });

/** Forget all that was counted. */
export const forget = ({ kind, what }: Paced) =>
  pool().query({ name: "forget-pace", text: "DELETE FROM throttle WHERE key = $1", values: [keyOf(kind, what)] });
