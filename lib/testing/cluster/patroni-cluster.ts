import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/lib/net/free-port";
import { serverAccount } from "@/lib/postgres/os-user";
import { withChildren } from "../../../bench/process-usage";
import { findProgram } from "../find-program";
import { type Background, background, listening, until } from "./background-process";
import { asShipped } from "./documented-config";
import { findPostgresPrograms } from "./install-cluster-programs";
import { findPatroni } from "./install-patroni";

const password = "through";
const names = ["pg1", "pg2", "pg3"] as const;

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string };

/** Returns the missing programs among those that tests of a database cluster need. */
export const missingForPatroni = (): string[] =>
  ["etcd", "haproxy"]
    .filter((name) => !findProgram(name))
    .concat(
      findPatroni() ? [] : ["Patroni 3.0.3 or newer"],
      findPostgresPrograms() ? [] : ["PostgreSQL's server programs"],
    );

/**
 * Starts three PostgreSQL servers with synchronous replication as in docs/operations/patroni.yml,
 * one etcd, and HAProxy in front of the primary.
 */
export async function startPatroni() {
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), "countersign-patroni-"));
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  own(folder);
  const [etcdPort, etcdPeers, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const etcdData = join(folder, "etcd");
  const startEtcd = async () => {
    const etcd = background(
      findProgram("etcd") as string,
      [
        ...["--data-dir", etcdData, "--name", "one", "--logger", "zap"],
        ...[
          "--listen-client-urls",
          `http://127.0.0.1:${etcdPort}`,
          "--advertise-client-urls",
          `http://127.0.0.1:${etcdPort}`,
        ],
        ...[
          "--listen-peer-urls",
          `http://127.0.0.1:${etcdPeers}`,
          "--initial-advertise-peer-urls",
          `http://127.0.0.1:${etcdPeers}`,
        ],
        ...["--initial-cluster", `one=http://127.0.0.1:${etcdPeers}`],
      ],
      { account },
    );
    await listening(etcd, etcdPort);
    return etcd;
  };
  let etcd = await startEtcd();

  const nodes: { name: string; port: number; rest: number; data: string; file: string; agent: Background }[] = [];
  // Gives Patroni its own home folder, because it writes a password file there.
  const agentOf = (file: string) =>
    background(findPatroni() as string, [file], { account, env: { HOME: `${file}.home` } });
  for (const name of names) {
    const [port, rest, data] = [await freePort(), await freePort(), join(folder, name)];
    const file = join(folder, `${name}.yml`);
    writeFileSync(
      file,
      asShipped("patroni.yml", {
        "name: pg1": `name: ${name}`,
        "10.0.0.21:8008": `127.0.0.1:${rest}`,
        "10.0.0.21:5432": `127.0.0.1:${port}`,
        "10.0.0.31:2379, 10.0.0.32:2379, 10.0.0.33:2379": `127.0.0.1:${etcdPort}`,
        "10.0.0.0/24": "127.0.0.0/8",
        "/var/lib/postgresql/countersign": data,
        "/usr/lib/postgresql/15/bin": findPostgresPrograms() as string,
        "…": password,
      }),
      { mode: 0o600 },
    );
    mkdirSync(`${file}.home`);
    own(`${file}.home`);
    own(file);
    nodes.push({ name, port, rest, data, file, agent: agentOf(file) });
  }
  const proxyFile = join(folder, "haproxy-postgres.cfg");
  writeFileSync(
    proxyFile,
    asShipped("haproxy-postgres.cfg", {
      "127.0.0.1:5000": `127.0.0.1:${proxyPort}`,
      ...Object.fromEntries(
        nodes.map(({ port, rest }, at) => [`10.0.0.2${at + 1}:5432 port 8008`, `127.0.0.1:${port} port ${rest}`]),
      ),
    }),
  );
  const proxy = background(findProgram("haproxy") as string, ["-db", "-f", proxyFile]);
  await listening(proxy, proxyPort);

  const members = async (): Promise<Member[]> => {
    for (const { rest } of nodes) {
      try {
        const reply = await fetch(`http://127.0.0.1:${rest}/cluster`, { signal: AbortSignal.timeout(2000) });
        return ((await reply.json()) as { members: Member[] }).members;
      } catch {
        // Tries the next server, because each one knows all members.
      }
    }
    return [];
  };
  const complaints = () => nodes.map(({ name, agent }) => `${name}: ${agent.output().slice(-600)}`).join("\n");
  /** Waits until one server leads, one replicates synchronously, and the third follows. */
  const whole = () =>
    until(
      async () => {
        const all = await members();
        const roles = all.filter(({ state }) => /running|streaming/.test(state)).map(({ role }) => role);
        return roles.sort().join() === "leader,replica,sync_standby";
      },
      complaints,
      150,
    );
  const leader = async () => {
    const name = (await members()).find(({ role }) => role === "leader")?.name;
    return nodes.find((node) => node.name === name) as (typeof nodes)[number];
  };
  /** Returns the process IDs of the Patroni agent, its PostgreSQL and all their children. */
  const processesOf = ({ agent, data }: (typeof nodes)[number]) => {
    const file = join(data, "postmaster.pid");
    const postmaster = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : undefined;
    return [...withChildren(agent.child.pid as number), ...(postmaster ? withChildren(postmaster) : [])];
  };
  const signal = (pids: number[], what: NodeJS.Signals) => {
    for (const pid of new Set(pids))
      try {
        process.kill(pid, what);
      } catch {
        // Ignored, because the process has ended with its parent.
      }
  };

  const end = async () => {
    for (const node of nodes) signal(processesOf(node), "SIGKILL");
    await Promise.all(nodes.map(({ agent }) => agent.ended));
    await Promise.all([proxy.kill(), etcd.kill("SIGKILL")]);
    rmSync(folder, { recursive: true, force: true });
  };
  await whole().catch(async (error) => {
    await end();
    throw error;
  });
  const address = (port: number, user = "postgres", database = "postgres") =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
  return {
    whole,
    address: (user?: string, database?: string) => address(proxyPort, user, database),
    /** All servers by name. Exactly one accepts writes. */
    list: (user: string, database: string) =>
      `postgresql://${user}:${password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}/${database}?target_session_attrs=read-write`,
    proxyPort,
    password,
    async switchover() {
      const from = await leader();
      const to = (await members()).find(({ role }) => role === "sync_standby")?.name;
      const reply = await fetch(`http://127.0.0.1:${from.rest}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: from.name, candidate: to }),
      });
      if (!reply.ok) throw new Error(await reply.text());
    },
    /** Kills the primary. @returns a function that restarts it */
    async killPrimary() {
      const node = await leader();
      signal(processesOf(node), "SIGKILL");
      await node.agent.ended;
      return async () => {
        node.agent = agentOf(node.file);
      };
    },
    /** Freezes the primary. @returns a function that resumes it */
    async freezePrimary() {
      const pids = processesOf(await leader());
      signal(pids, "SIGSTOP");
      return async () => signal(pids, "SIGCONT");
    },
    async stopEtcd() {
      await etcd.kill("SIGKILL");
      return async () => {
        etcd = await startEtcd();
      };
    },
    end,
  };
}
export type Patroni = Awaited<ReturnType<typeof startPatroni>>;
