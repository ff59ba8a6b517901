import http from "node:http";
import https from "node:https";

/** Connections that are kept for the next request of the same asker to the same origin. */
export type KeptConnections = { agentFor(asker: string, url: URL): http.Agent };

/**
 * Shorter than receivers keep them (Node.js and uvicorn 5 seconds), so that few are closed just as they are used again; and how long
 * a name is taken to lead where it led. Milliseconds.
 */
const [idle, longest] = [4000, 60_000];

/**
 * Each asker has its own, so that nobody speaks over a connection that was made for somebody else's address, and none waits for
 * others. Where an address leads is looked up, and checked, when a connection is made (see `guardedFetch`).
 * @param askers how many are remembered
 */
export function agentPool(askers: number, now = () => performance.now()): KeptConnections {
  const kept = new Map<string, { agent: http.Agent; since: number }>();
  return {
    agentFor(asker, { protocol, origin }) {
      const key = `${asker} ${origin}`;
      const known = kept.get(key);
      if (known && now() - known.since < longest) return known.agent;
      // What is left behind is closed by itself, once it is idle.
      kept.delete(key);
      for (const oldest of kept.keys()) {
        if (kept.size < askers) break;
        kept.delete(oldest);
      }
      const agent =
        protocol === "http:"
          ? new http.Agent({ keepAlive: true, timeout: idle })
          : // Every connection shows its certificate.
            new https.Agent({ keepAlive: true, timeout: idle, maxCachedSessions: 0 });
      kept.set(key, { agent, since: now() });
      return agent;
    },
  };
}
