import { parseArgs } from "node:util";
import { openStage } from "./benchmark-servers";
import { report, summary } from "./report";
import { measure, operations } from "./rounds";

/**
 * `npm run bench`: measures the requests per second of one service process, and the CPU time of
 * each request. It compares them with a bare Fastify and pg server on the same database, and a lean
 * server on its own tables. Rounds alternate, and only ratios within one run are meaningful.
 * `--quick` prints one line in under two minutes. `--only submit,get`, `--connections 1,8`,
 * `--tokens 1,64`, `--size 1000,1000000`, `--rounds N` and `--seconds N` select cases. `--against
 * FOLDER` adds another checkout of the service with the same migrations.
 */
const { values: given } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: Object.keys(operations).join() },
    connections: { type: "string" },
    tokens: { type: "string" },
    size: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string" },
    against: { type: "string" },
  },
});
const numbers = (list = "") => list.split(",").map(Number);

/** The cases: connections, tokens and approvals. */
type Wanted = [connections: number, tokens: number, size: number];
const issue: Wanted[] = [
  [1, 1, 1_000],
  [8, 1, 1_000],
  [32, 1, 1_000],
  [256, 1, 1_000],
  [32, 64, 1_000],
  [32, 1, 1_000_000],
];
const { connections, tokens, size } = given;
const chosen = given.quick || connections || tokens || size;
const wanted = chosen
  ? numbers(size ?? "1000").flatMap((approvals) =>
      numbers(tokens ?? "1").flatMap((callers) =>
        numbers(connections ?? "32").map((sockets): Wanted => [sockets, callers, approvals]),
      ),
    )
  : issue;

const stage = await openStage(given.against);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stage.close().finally(() => process.exit(1)));
try {
  const cases = [];
  for (const [connections, tokens, size] of wanted) {
    const site = await stage.site(size, tokens);
    cases.push({ connections, site });
  }
  const seconds = Number(given.seconds ?? (given.quick ? 1.5 : 3));
  const measured = await measure(cases, given.only.split(","), { rounds: Number(given.rounds), seconds });
  process.stdout.write((given.quick ? summary : report)(measured, stage.memory()));
} finally {
  await stage.close();
}
