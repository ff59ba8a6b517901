import { load, type Next, type Result, request } from "./load";
import { pgbench } from "./pgbench";
import type { Stage } from "./stage";

export type Row = {
  size: number;
  operation: string;
  who: string;
  perSecond: number;
  p50: number;
  p99: number;
  /** Replies that were not 2xx, of all rounds. */
  errors: number;
};

const connections = 32;
/** More than any server here resolves in one round. */
const plenty = 40_000;

const ask = {
  question: "Ship build 418 to production?",
  options: [
    { id: "ship", label: "Ship now" },
    { id: "wait", label: "Wait for the soak test", note: "Ends at 18:00" },
  ],
  backgroundContext: "The soak test has run for 40 minutes without a fault.",
};

/** Each operation by each server, in turns, so that what the machine does meanwhile falls on all of them. */
export async function measure(
  stage: Stage,
  size: number,
  { rounds, seconds, only }: { rounds: number; seconds: number; only?: string[] | undefined },
): Promise<Row[]> {
  const { rows: known } = await stage.sql.query<{ id: string }>("SELECT id FROM approval ORDER BY random() LIMIT 1000");
  const { token } = stage;
  const submit = request("POST", "/api/approvals", token, ask);
  const list = request("GET", "/api/approvals?limit=50", token);
  const gets = known.map(({ id }) => request("GET", `/api/approvals/${id}`, token));
  const operations: Record<string, () => Promise<Next>> = {
    get: async () => each(gets, true),
    "list(50)": async () => () => list,
    submit: async () => () => submit,
    resolve: async () =>
      each(
        (await stage.pending(plenty)).map((id) =>
          request("POST", `/api/approvals/${id}/resolve`, token, { kind: "option", optionId: "ship" }),
        ),
        false,
      ),
  };
  const rows: Row[] = [];
  for (const [operation, prepare] of Object.entries(operations)) {
    if (only && !only.includes(operation)) continue;
    const results: Record<string, Result[]> = { Countersign: [], "Fastify + pg": [], pgbench: [] };
    for (const port of [stage.ours, stage.peer]) await load(port, connections, 2_000, await prepare());
    for (let round = 0; round < rounds; round++) {
      results.Countersign?.push(await load(stage.ours, connections, seconds * 1000, await prepare()));
      results["Fastify + pg"]?.push(await load(stage.peer, connections, seconds * 1000, await prepare()));
      const direct = await pgbench(stage, operation, connections, seconds);
      if (direct) results.pgbench?.push(direct);
    }
    for (const [who, found] of Object.entries(results)) {
      const errors = found.reduce((sum, result) => sum + result.errors, 0);
      if (found.length > 0) rows.push({ size, operation, who, ...middle(found), errors });
    }
    process.stderr.write(`measured ${operation} at ${size}\n`);
    await stage.sql.query("CHECKPOINT");
  }
  return rows;
}

const each = (requests: Buffer[], again: boolean): Next => {
  let at = 0;
  return () => requests[again ? at++ % requests.length : at++];
};

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const middle = (results: Result[]) => ({
  perSecond: median(results.map((result) => result.perSecond)),
  p50: median(results.map((result) => result.p50)),
  p99: median(results.map((result) => result.p99)),
});
