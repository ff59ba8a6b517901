import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start, stop } from "@/lib/postgres/postgres-server";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { obeyed } from "@/lib/testing/operator-command";
import { runProgram, startProgram } from "@/lib/testing/service-process";
import { throwawayPostgres } from "@/lib/testing/temporary-postgres";

/** Starts the service, and expects it to report a problem and exit. */
async function refusal(environment: Record<string, string>) {
  const folder = newDataDir();
  const run = runProgram([startProgram], { PORT: "0", DATA_DIR: folder, ...environment });
  const late = setTimeout(() => run.child.kill("SIGKILL"), 120_000);
  const status = await run.ended;
  clearTimeout(late);
  const made = existsSync(folder) ? readdirSync(folder) : [];
  removeDataDir(folder);
  return { status, said: run.output().trim(), made };
}

test.each([
  ["PORT", { PORT: "http" }],
  ["DATABASE_URL", { DATABASE_URL: "postgresql://nobody:hush@127.0.0.1:1/none", DATABASE_WAIT: "0" }],
])("rejects an invalid %s without creating files: %j", async (name, environment) => {
  const { status, said, made } = await refusal(environment);
  expect(made).toEqual([]);
  expect(said).toMatch(new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*\\.$`));
  expect(said).not.toContain("hush");
  expect(status).toBe(1);
});

test("turns off source maps at startup", async () => {
  const tell = `const set = process.setSourceMapsEnabled; let on = false;
    process.setSourceMapsEnabled = (to) => set.call(process, (on = to));
    process.on("exit", () => console.log(on ? "maps on" : "maps off"));`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tell)}`;
  expect((await refusal({ PORT: "http", NODE_OPTIONS })).said).toContain("maps off");
  const built = readdirSync(process.env.NEXT_DIST_DIR || ".next", { recursive: true, encoding: "utf8" });
  expect(built.filter((file) => /^server\W.*\.map$/.test(file))).toEqual([]);
});

/** Returns the printed reason for a database problem, which is the one sentence after the steps. */
const reasonOf = (said: string) => said.split("\n").filter((line) => !/ … |^ {2}/.test(line));

test("reports a failed database connection in one sentence that omits the password", async () => {
  const postgres = await throwawayPostgres();
  const wrong = postgres.url.replace("throwaway", "hush");
  const refused = await refusal({ DATABASE_URL: wrong });
  expect(reasonOf(refused.said)).toEqual([
    expect.stringMatching(/^Could not connect to the database at DATABASE_URL: password .*\.$/),
  ]);
  expect(refused.said).not.toContain("hush");

  await stop(postgres.instance);
  writeFileSync(join(postgres.instance.data, "standby.signal"), "");
  await start(postgres.instance, postgres.port);
  const standby = await refusal({ DATABASE_URL: postgres.url });
  expect(reasonOf(standby.said)).toEqual([
    "The database at DATABASE_URL is a standby, which accepts no writes. Set DATABASE_URL to the address of the primary.",
  ]);
  expect([refused.status, standby.status]).toEqual([1, 1]);
  await postgres.end();
});

test("reports an unusable embedded database in one sentence", async () => {
  const folder = newDataDir();
  const environment = { DATA_DIR: folder };
  expect((await obeyed(environment, ["owner", "list"])).status).toBe(0);
  const spoil = async (file: string, content: string) => {
    const before = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), content);
    const run = runProgram([startProgram, "--built"], { PORT: "0", ...environment });
    const status = await run.ended;
    writeFileSync(join(folder, file), before);
    expect(existsSync(join(folder, "postgres", "postmaster.pid"))).toBe(false);
    return { status, said: reasonOf(run.output().trim()) };
  };
  expect(await spoil("postgres.password", "hush")).toEqual({
    status: 1,
    said: [expect.stringMatching(/^The database rejects the password in .*postgres\.password\. .*\.$/)],
  });
  expect(await spoil("postgres/PG_VERSION", "17\n")).toEqual({
    status: 1,
    said: [
      expect.stringMatching(
        /^The database in .* was created by PostgreSQL 17, but this version of Countersign includes PostgreSQL 18\. .*\.$/,
      ),
    ],
  });
  expect(await spoil("postgres/postgresql.conf", "max_connections = hush")).toEqual({
    status: 1,
    said: [expect.stringMatching(/^PostgreSQL failed to start: .*\. See .*postgres\.log\.$/)],
  });
  expect((await obeyed(environment, ["owner", "list"])).status).toBe(0);
  removeDataDir(folder);
});

test("reports a port that is in use", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as { port: number };
  const { status, said } = await refusal({ PORT: String(port) });
  holder.close();
  expect(said).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop the program that uses the port, or set PORT to a free port.`,
  );
  expect(status).toBe(1);
});
