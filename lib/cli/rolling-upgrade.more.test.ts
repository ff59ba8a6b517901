import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkOutVersion, previousRelease } from "@/lib/testing/former-version";
import { obeyed } from "@/lib/testing/operator-command";
import { runProgram, startProgram } from "@/lib/testing/service-process";
import { throwawayPostgres } from "@/lib/testing/temporary-postgres";

// This test runs instances of the previous version and of this version on the same database, as
// during a rolling upgrade.
const git = (...args: string[]) =>
  execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "ignore"] }).trim();

/**
 * Returns the previous release or, if there is none, the commit before the latest migration.
 * Returns undefined if the checkout has neither.
 */
function former(): string | undefined {
  const release = previousRelease();
  if (release) return release;
  try {
    const added = git("log", "-1", "--diff-filter=A", "--format=%H", "--", "prisma/migrations");
    return git("rev-parse", "--verify", `${added}^`);
  } catch {
    // The clone may lack history, or this folder may not be a clone at all.
    return undefined;
  }
}

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const migrationsIn = (folder: string) =>
  readdirSync(join(folder, "prisma/migrations"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const isAdditive = (name: string) =>
  readFileSync(join("prisma/migrations", name, "migration.sql"), "utf8").startsWith("-- additive");

/** Starts an instance, and builds it first if necessary. */
async function start(program: string, environment: Record<string, string>) {
  const run = runProgram([program], { PORT: "0", UNDO_SECONDS: "0", ...environment });
  const stop = async () => {
    run.child.kill("SIGTERM");
    return run.ended;
  };
  ends.push(stop);
  let status: unknown;
  void run.ended.then((it) => (status = it));
  const url = () => /Countersign is at (\S+)/.exec(run.output())?.[1];
  await expect.poll(() => url() ?? status, { timeout: 900_000, interval: 200 }).toBeDefined();
  return { url: url(), said: run.output, stop };
}

/** Whether two versions can share a database: not with a version before the initial schema. */
const hasInitialSchema = (version: string) =>
  git("ls-tree", "--name-only", version, "prisma/migrations/20261128000000_initial") !== "";

test("shares a database with an instance of the previous version", {
  timeout: 1_200_000,
}, async ({ skip }) => {
  const version = former();
  skip(!version, "needs the history of the version before: no tag, and no commit before the last migration");
  skip(!hasInitialSchema(version ?? ""), "needs a release, or a migration after the initial schema");
  const { folder, remove } = checkOutVersion(version ?? "");
  ends.push(remove);
  // In older versions, the program's name is start.mjs.
  const programs = ["start-service.mjs", "start.mjs"].map((name) => join(folder, "lib/cli", name));
  const before = programs.find((program) => existsSync(program)) ?? expect.fail("no program starts the service");
  const postgres = await throwawayPostgres();
  ends.push(postgres.end);
  const data = join(folder, ".data-of-copies");
  mkdirSync(data);
  const given = {
    DATABASE_URL: postgres.url,
    SECRET: "one-for-both-copies-0123456789abcdef0123456789ab",
    DATA_DIR: data,
  };

  const old = await start(before, given);
  const oldUrl = old.url ?? expect.fail(old.said());
  const now = await start(startProgram, given);
  const newUrl = now.url ?? expect.fail(now.said());
  const run = async (args: string[], input = "") => (await obeyed(given, args, input)).json();
  const email = "olive@example.com";
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  const clientId = String((await run(["app", "create", "--owner", email, "--name", "Courier"])).clientId);
  const scopes = ["write", "read", "resolve"].flatMap((name) => ["--scope", `approvals:${name}`]);
  const token = String((await run(["token", "create", "--owner", email, "--app", clientId, ...scopes])).token);
  const call = async (url: string, path: string, body?: object) => {
    const reply = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: (await reply.json()) as { id: string; status?: string } };
  };
  /**
   * Asks a question with one version, answers it with the other, and reads the answer with the
   * first.
   */
  const together = async (one: string, other: string) => {
    const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };
    const asked = await call(one, "/api/approvals", question);
    expect(asked.status).toBe(201);
    const { id } = asked.body;
    expect((await call(other, `/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" })).status).toBe(200);
    expect((await call(one, `/api/approvals/${id}`)).body).toMatchObject({ status: "resolved" });
  };
  await together(oldUrl, newUrl);
  await together(newUrl, oldUrl);

  expect(await old.stop()).toBe(0);
  const again = await start(before, given);
  const known = migrationsIn(folder);
  const unknown = migrationsIn(".").filter((name) => !known.includes(name));
  // A version that recognizes additive migrations reports an incompatible database in one sentence.
  // Older versions list all unknown migrations.
  const marks = readFileSync(join(folder, "lib/postgres/migrations.ts"), "utf8").includes("isAdditive");
  if (unknown.length === 0 || (marks && unknown.every(isAdditive))) {
    await together(again.url ?? expect.fail(again.said()), newUrl);
    await together(newUrl, again.url ?? "");
  } else expect(again.said()).toMatch(/^The database has the migration \w+ from a newer, incompatible version.*\.$/m);
});
