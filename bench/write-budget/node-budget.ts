import type { Profiler } from "node:inspector";
import { openStage, type Server } from "../benchmark-servers";
import { load, type Next } from "../load";
import { operations } from "../rounds";

/** What a request costs in one server: CPU time in µs, in total and by category. */
export type NodeBudget = { operation: string; server: string; total: number; parts: Map<string, number> };

/**
 * Profiles the service and the lean server while requests arrive one after another.
 * @param milliseconds the duration of each profile
 * @throws if an operation is not one of the benchmark's
 */
export async function nodeBudgets(only: string[], milliseconds: number): Promise<NodeBudget[]> {
  const stage = await openStage();
  try {
    const site = await stage.site(1000, 1);
    const budgets: NodeBudget[] = [];
    for (const operation of only) {
      for (const server of site.servers.filter(({ name }) => name !== "Fastify + pg")) {
        const next = await operations[operation]?.(site, server.tables, 50_000);
        if (!next) throw new Error(`${operation} is none of ${Object.keys(operations).join(", ")}`);
        budgets.push({ operation, server: server.name, ...(await profiled(server, next, milliseconds)) });
      }
    }
    return budgets;
  } finally {
    await stage.close();
  }
}

/**
 * Divides the server's CPU time over categories by their share of the samples. The samples
 * themselves are no CPU times, because they include the times when the process was ready but not
 * running.
 */
async function profiled(server: Server, next: Next, milliseconds: number) {
  await load(server.port, 1, 3000, next);
  let requests = 0;
  const before = server.cpu();
  const profiles = await server.profile(async () => {
    ({ requests } = await load(server.port, 1, milliseconds, next));
  });
  const total = ((server.cpu() - before) / requests) * 1_000_000;
  const samples = new Map<string, number>();
  for (const profile of profiles) countSamples(profile, samples);
  const all = [...samples.values()].reduce((sum, count) => sum + count, 0);
  return { total, parts: new Map([...samples].map(([part, count]) => [part, (count / all) * total])) };
}

function countSamples({ nodes, samples = [] }: Profiler.Profile, into: Map<string, number>) {
  const category = new Map(nodes.map(({ id, callFrame }) => [id, categoryOf(callFrame)]));
  for (const id of samples) {
    const part = category.get(id);
    if (part) into.set(part, (into.get(part) ?? 0) + 1);
  }
}

/** The category of a function by its name or file; undefined while the process is idle. */
function categoryOf({ functionName, url }: { functionName: string; url: string }): string | undefined {
  if (functionName === "(idle)") return undefined;
  return categories.find(([, pattern]) => pattern.test(`${functionName} ${url}`))?.[0];
}

const categories: [category: string, pattern: RegExp][] = [
  ["system calls that write", /^writev? $/],
  ["garbage collection", /^\(garbage collector\)/],
  [
    "promises and async context",
    /^(runMicrotasks|init|before|after|run) $|async_hooks|task_queues|promise|executionAsyncResource/i,
  ],
  ["PostgreSQL driver", /node_modules\/pg/],
  ["input validation", /node_modules\/zod|secure-json-parse/],
  ["hashes", /internal\/crypto|^digest $|Hmac|Hash/],
  [
    "HTTP, streams and timers",
    /node:(_http|internal\/streams|net|events|internal\/(timers|stream|http|buffer)|timers|buffer|url)|^(dispatch|connect) $|fastify/,
  ],
  ["the server's own functions", /lib\/generated|bench\/lean|file:/],
  ["other", /./],
];
