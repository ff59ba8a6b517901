import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { serverAccount } from "@/lib/postgres/os-user";
import { findPgBouncer, noPgBouncer } from "./pgbouncer";
import { runSystem, testWith } from "./test-with-programs";

// Runs the programs of deploy/compose directly, each on a separate port, because a container engine
// may be missing. Does not cover images, networks, volumes and health checks.
const account = serverAccount();
const folder = mkdtempSync(join(tmpdir(), "countersign-composition-"));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, "close");
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

type Environment = Record<string, string>;
/** Starts a program, as PostgreSQL's account if requested. */
function begin(program: string, args: string[], env: Environment, as?: typeof account) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: "production", ...env },
    ...(as && { uid: as.uid, gid: as.gid, cwd: "/" }),
  });
  children.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  return { child, said: () => said, ended };
}
async function run(program: string, args: string[], env: Environment, as?: typeof account) {
  const it = begin(program, args, env, as);
  expect(await it.ended, it.said()).toBe(0);
  return it.said();
}

const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
const postgresBin = `/usr/lib/postgresql/${versions.sort((a, b) => +a - +b).at(-1)}/bin`;

testWith(["go", "caddy", "psql"], "replaces an instance of the composition without downtime", async (skip) => {
  const bouncer = findPgBouncer();
  if (!bouncer) return skip(noPgBouncer);
  if (!existsSync(`${postgresBin}/pg_ctl`)) return skip("needs PostgreSQL of the system: apt-get install postgresql");
  const composed = join(folder, "compose");
  cpSync("deploy/compose", composed, { recursive: true, filter: (from) => !/\/(secrets|\.env)$/.test(from) });
  await run("sh", [join(composed, "secrets.sh")], {});
  // The programs run as different users of one machine, so all of them must be able to read the
  // files.
  const secrets = join(composed, "secrets");
  for (const path of [folder, composed, secrets]) chmodSync(path, 0o755);
  const [postgres, pooler, proxy, ...copies] = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  const here = (text: string) =>
    text
      .replaceAll("/run/secrets", secrets)
      .replaceAll("@postgres:5432", `@127.0.0.1:${postgres}`)
      .replaceAll("@pgbouncer:6432", `@127.0.0.1:${pooler}`)
      .replaceAll("host=postgres port=5432", `host=127.0.0.1 port=${postgres}`)
      .replaceAll(/listen_addr = .*/g, "listen_addr = 127.0.0.1")
      .replaceAll("listen_port = 6432", `listen_port = ${pooler}`)
      .replaceAll(/countersign-(\d):3000/g, (_, nth: string) => `127.0.0.1:${copies[Number(nth) - 1]}`);
  for (const name of readdirSync(secrets)) rewrite(join(secrets, name));
  for (const name of ["database.sh", "pgbouncer.ini", "Caddyfile"]) rewrite(join(composed, name));
  function rewrite(path: string) {
    const text = here(readFileSync(path, "utf8"));
    chmodSync(path, 0o644);
    writeFileSync(path, text);
  }

  const data = mkdtempSync(join(folder, "postgres-"));
  if (account) chownSync(data, account.uid, account.gid);
  const reach = { PGHOST: data, PGPORT: String(postgres), LC_ALL: "C" };
  const init = [
    "-D",
    join(data, "data"),
    "-U",
    "postgres",
    "--auth-local=trust",
    "--auth-host=scram-sha-256",
    "-E",
    "UTF8",
  ];
  await run(`${postgresBin}/initdb`, init, reach, account);
  const options = [
    "-c",
    `port=${postgres}`,
    "-c",
    `unix_socket_directories=${data}`,
    "-c",
    "listen_addresses=127.0.0.1",
  ];
  begin(`${postgresBin}/postgres`, ["-D", join(data, "data"), ...options], reach, account);
  await expect
    .poll(async () => (await runSystem("psql", ["-U", "postgres", "-c", "SELECT 1"], { env: reach })).status)
    .toBe(0);
  await run("sh", [join(composed, "database.sh")], reach);
  begin(bouncer, ["-q", join(composed, "pgbouncer.ini")], {}, account);

  const program = "github.com/compose-spec/compose-go/v2/cmd@v2.16.2";
  const read = ["run", program, "-no-interpolation", "-format", "json", join(composed, "compose.yaml")];
  const { services } = JSON.parse((await runSystem("go", read)).out) as {
    services: Record<string, { environment: Environment; command?: string[] }>;
  };
  const settings = (name: string, more: Environment = {}) => ({
    ...Object.fromEntries(Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, here(value)])),
    PUBLIC_URL: `http://localhost:${proxy}`,
    UNDO_SECONDS: "0",
    RATE_LIMIT: "0",
    MAX_PENDING: "0",
    ...more,
  });
  const entrypoint = resolve("deploy/entrypoint");
  expect(await run(entrypoint, services.migrate?.command ?? [], settings("migrate"))).toMatch(
    / migrations were applied:/,
  );

  const start = (nth: number) =>
    begin(entrypoint, [], settings(`countersign-${nth + 1}`, { PORT: String(copies[nth]), HOST: "127.0.0.1" }));
  const [first] = [start(0), start(1)];
  const caddyfile = join(composed, "Caddyfile");
  writeFileSync(caddyfile, `{\n\tadmin off\n}\n${readFileSync(caddyfile, "utf8")}`);
  begin("caddy", ["run", "--config", caddyfile, "--adapter", "caddyfile"], {
    PUBLIC_HOST: `http://localhost:${proxy}`,
    XDG_DATA_HOME: folder,
  });
  const url = `http://localhost:${proxy}`;
  const isUp = (at: string) =>
    fetch(at).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const port of copies)
    await expect.poll(() => isUp(`http://127.0.0.1:${port}/readyz`), { timeout: 90_000 }).toBe(true);
  await expect.poll(() => isUp(`${url}/readyz`)).toBe(true);

  const command = async (args: string[], input = "") => {
    const { status, out, err } = await runSystem(entrypoint, args, {
      input,
      env: settings("countersign-1", { PORT: String(copies[0]) }),
    });
    expect(status, out + err).toBe(0);
    return out.trim();
  };
  await command(
    ["owner", "create", "--email", "olive@example.com", "--name", "Olive", "--password-stdin"],
    "a password of some length\n",
  );
  const token = await command(["app", "create", "--owner", "olive@example.com", "--name", "Courier", "--token"]);
  const findings = await command(["doctor"]);
  expect(findings).toMatch(/^ok +Pooler +Queries and NOTIFY work/m);
  expect(findings).toMatch(new RegExp(`^ok +Service +The instance is reachable at ${url}\\.$`, "m"));

  const halved = await runSystem(entrypoint, ["doctor"], {
    env: settings("countersign-1", { DATABASE_DIRECT_URL_FILE: "" }),
  });
  expect(halved.out).toMatch(
    /^FAIL {2}Database +DATABASE_URL leads to a connection pooler .*\. Set DATABASE_DIRECT_URL/m,
  );
  expect(halved.status).toBe(1);

  // As in an upgrade, an instance stops and restarts while apps send requests.
  const statuses: (number | string)[] = [];
  let asking = true;
  const apps = Array.from({ length: 4 }, async () => {
    while (asking) {
      const body = JSON.stringify({ question: "Ship it?", options: [{ id: "yes", label: "Yes" }] });
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const asked = fetch(`${url}/api/approvals`, { method: "POST", headers, body });
      statuses.push(await asked.then(({ status }) => status, String));
    }
  });
  first?.child.kill("SIGTERM");
  expect(await first?.ended).toBe(0);
  const until = statuses.length;
  start(0);
  await expect.poll(() => isUp(`http://127.0.0.1:${copies[0]}/readyz`), { timeout: 90_000 }).toBe(true);
  await expect.poll(() => statuses.length).toBeGreaterThan(until + 100);
  asking = false;
  await Promise.all(apps);
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
});
