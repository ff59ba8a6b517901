import type { Server, Site } from "./benchmark-servers";
import { load, type Next, type Result, request } from "./load";
import type { Tables } from "./service-tables";

/** The number of concurrent connections, spread over the site's callers. */
export type Case = { connections: number; site: Site };

/**
 * One server's result in one round. `node` and `postgres` are CPU time per request in µs. `delay`
 * is the event loop delay, p99 in ms.
 */
export type Sample = Result & { node: number; postgres: number; delay: number };

/** All rounds of an operation in one case, by server. The service comes first. */
export type Measured = {
  operation: string;
  connections: number;
  tokens: number;
  size: number;
  samples: Map<string, Sample[]>;
};

export const ask = {
  question: "Ship build 418 to production?",
  options: [
    { id: "ship", label: "Ship now" },
    { id: "wait", label: "Wait for the soak test", note: "Ends at 18:00" },
  ],
  backgroundContext: "The soak test has run for 40 minutes without a fault.",
};

/**
 * What a server runs in a benchmark. `max` exceeds the requests that any server answers in a round.
 */
export const operations: Record<string, (site: Site, tables: Tables, max: number) => Promise<Next>> = {
  get: async (_, tables) =>
    around((await tables.some(1000)).map(({ id, token }) => request("GET", `/api/approvals/${id}`, token))),
  "list(50)": async ({ callers }) =>
    around(callers.map(({ token }) => request("GET", "/api/approvals?limit=50", token))),
  submit: async ({ callers }) => around(callers.map(({ token }) => request("POST", "/api/approvals", token, ask))),
  resolve: async (_, tables, max) => {
    const requests = (await tables.addPending(max)).map(({ id, token }) =>
      request("POST", `/api/approvals/${id}/resolve`, token, { kind: "option", optionId: "ship" }),
    );
    let at = 0;
    return () => requests[at++];
  },
};

const around = (requests: Buffer[]): Next => {
  let at = 0;
  return () => requests[at++ % requests.length];
};

/**
 * Runs each operation in each case on each server. Servers alternate, so that disturbances affect
 * all of them.
 */
export async function measure(
  cases: Case[],
  wanted: string[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const operation of wanted) {
    const prepare = operations[operation];
    if (!prepare) throw new Error(`${operation} is none of ${Object.keys(operations).join(", ")}`);
    let fastest = 5_000;
    const once = async ({ site, connections }: Case, server: Server, duration: number): Promise<Sample> => {
      const next = await prepare(site, server.tables, Math.ceil(fastest * duration * 2));
      // Flushes earlier writes now, not during the round.
      await site.sql.query("CHECKPOINT");
      await server.delay();
      const [node, postgres] = [server.cpu(), site.postgres()];
      const result = await load(server.port, connections, duration * 1000, next);
      fastest = Math.max(fastest, result.perSecond);
      const each = (from: number, to: number) => ((to - from) * 1e6) / result.requests;
      const used = { node: each(node, server.cpu()), postgres: each(postgres, site.postgres()) };
      return { ...result, ...used, delay: await server.delay() };
    };
    const found = cases.map(({ connections, site }) => ({
      ...{ operation, connections, tokens: site.callers.length, size: site.size },
      samples: new Map(site.servers.map(({ name }): [string, Sample[]] => [name, []])),
    }));
    for (const site of new Set(cases.map((one) => one.site)))
      for (const server of site.servers) await once({ site, connections: 32 }, server, 1.5);
    for (let round = 0; round < rounds; round++) {
      for (const [at, one] of cases.entries()) {
        // The rows that a round adds are negligible next to a million approvals, but not next to a
        // thousand.
        if (one.site.size < 100_000) await one.site.refill();
        // Each server starts equally often.
        const { servers } = one.site;
        const turn = round % servers.length;
        for (const server of [...servers.slice(turn), ...servers.slice(0, turn)])
          found[at]?.samples.get(server.name)?.push(await once(one, server, seconds));
      }
    }
    all.push(...found);
    process.stderr.write(`measured ${operation}\n`);
  }
  return all;
}
