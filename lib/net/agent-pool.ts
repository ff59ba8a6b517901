import http from "node:http";
import https from "node:https";

/** Connections that are kept for the next request by the same user to the same origin. */
export type KeptConnections = { agentFor(asker: string, url: URL): http.Agent };

/**
 * Idle time, shorter than receivers keep connections (Node.js and uvicorn 5 seconds), so that few
 * close just as they are reused. Then the time for which a resolved address is trusted.
 * Milliseconds.
 */
const [idleMs, maxAgeMs] = [4000, 60_000];

/**
 * Each user has separate connections, so that no one sends over a connection made for another
 * user's address, and no one waits for others. Addresses are resolved and checked when a connection
 * is made (see `guardedFetch`).
 * @param askers the maximum number of users
 */
export function agentPool(askers: number, now = () => performance.now()): KeptConnections {
  const kept = new Map<string, { agent: http.Agent; since: number }>();
  return {
    agentFor(asker, { protocol, origin }) {
      const key = `${asker} ${origin}`;
      const known = kept.get(key);
      if (known && now() - known.since < maxAgeMs) return known.agent;
      // Leftover connections close automatically once they are idle.
      kept.delete(key);
      for (const oldest of kept.keys()) {
        if (kept.size < askers) break;
        kept.delete(oldest);
      }
      const agent =
        protocol === "http:"
          ? new http.Agent({ keepAlive: true, timeout: idleMs })
          : // Every connection verifies its certificate.
            new https.Agent({ keepAlive: true, timeout: idleMs, maxCachedSessions: 0 });
      kept.set(key, { agent, since: now() });
      return agent;
    },
  };
}
