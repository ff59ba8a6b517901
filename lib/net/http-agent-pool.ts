import http from "node:http";
import https from "node:https";
import { clock } from "@/lib/clock";

/** Connections that are kept for the same user's next request to the same origin. */
export type KeptConnections = { agentFor(asker: string, url: URL): http.Agent };

/**
 * The idle time is shorter than the time for which servers keep connections (5 seconds in Node.js
 * and uvicorn), so that servers rarely close a connection just when it is reused. The maximum age
 * limits how long a resolved address is trusted. Both are in milliseconds.
 */
const [idleMs, maxAgeMs] = [4000, 60_000];

/**
 * Keeps separate connections for each user, so that no user's request uses a connection to another
 * user's address, or waits for other users. Addresses are checked when a connection is opened (see
 * `guardedFetch`).
 * @param askers the maximum number of user-and-origin pairs with kept connections
 */
export function agentPool(askers: number, now = () => clock.elapsed()): KeptConnections {
  const kept = new Map<string, { agent: http.Agent; since: number }>();
  return {
    agentFor(asker, { protocol, origin }) {
      const key = `${asker} ${origin}`;
      const known = kept.get(key);
      if (known && now() - known.since < maxAgeMs) return known.agent;
      // The idle connections of the replaced agent close automatically.
      kept.delete(key);
      for (const oldest of kept.keys()) {
        if (kept.size < askers) break;
        kept.delete(oldest);
      }
      const agent =
        protocol === "http:"
          ? new http.Agent({ keepAlive: true, timeout: idleMs })
          : // Without cached TLS sessions, every connection verifies the certificate.
            new https.Agent({ keepAlive: true, timeout: idleMs, maxCachedSessions: 0 });
      kept.set(key, { agent, since: now() });
      return agent;
    },
  };
}
