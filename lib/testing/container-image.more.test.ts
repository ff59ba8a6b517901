import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { serverAccount } from "@/lib/postgres/os-user";
import { exceptionFor, type LockFile, productionPackages } from "./licenses";
import { contextOf, copy, stagesOf } from "./read-dockerfile";

// Runs the steps of deploy/Dockerfile in a folder, as an unprivileged user, because a container
// engine may be missing. Does not cover the base image, or the second stage's user and folder.
const dockerfile = "deploy/Dockerfile";
const account = serverAccount();
const folder = mkdtempSync(join(tmpdir(), "countersign-image-"));
const [app, data, home] = ["app", "data", "home"].map((name) => join(folder, name)) as [string, string, string];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The step's folder: the last WORKDIR. */
let cwd = app;
function begin(program: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, NODE_ENV: "production", ...env },
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, ended, said: () => said };
}
async function run(program: string, args: string[], env?: Record<string, string>) {
  const it = begin(program, args, env);
  expect(await it.ended, it.said()).toBe(0);
  return it.said();
}
const all = (...args: string[]) => run("chmod", ["-R", ...args, app]);

test("builds an image that runs from read-only files without downloads", {
  timeout: 900_000,
}, async () => {
  const files = contextOf(dockerfile);
  expect(files).toContain("lib/cli/start-service.mjs");
  expect(files.filter((file) => /\.test\.|^(docs\/screenshots|e2e|bench|lib\/testing)\//.test(file))).toEqual([]);
  const [build = [], final = []] = stagesOf(dockerfile);
  const environment: Record<string, string> = {};
  chmodSync(folder, 0o755);
  for (const made of [app, data, home]) {
    mkdirSync(made, { mode: 0o700 });
    if (account) chownSync(made, account.uid, account.gid);
  }
  for (const { name, rest } of build) {
    if (name === "ENV") for (const [, key = "", value = ""] of rest.matchAll(/(\w+)=(\S+)/g)) environment[key] = value;
    if (name === "WORKDIR") cwd = rest.replace(/^\/app/, app);
    if (name === "COPY") {
      copy(files, rest, app);
      if (account) execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, app]);
    }
    if (name === "RUN") await run("sh", ["-c", rest], environment);
  }
  cwd = app;
  await all("a-w");
  const mebibytes = Number((await run("du", ["-sm", app])).split("\t")[0]);
  expect(mebibytes).toBeLessThan(450);

  const port = String(await freePort());
  const given: Record<string, string> = { PORT: port, DATA_DIR: data, npm_config_offline: "true" };
  const service = begin(join(app, "deploy/entrypoint"), [], given);
  const status = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.status;
  await expect.poll(() => status("/readyz"), { timeout: 120_000 }).toBe(200);
  const link = /http\S+\/setup\?token=\S+/.exec(service.said())?.[0] ?? "";
  expect((await fetch(link)).status).toBe(200);
  for (const page of ["", "/answers", "/ai-sdk", "/python", "/deploy", "/files/alerts.yml"])
    expect(await status(`/docs${page}`), page).toBe(200);
  // The image's own health check.
  const check = JSON.parse(
    /CMD (\[.*\])$/.exec(final.find(({ name }) => name === "HEALTHCHECK")?.rest ?? "")?.[1] ?? "",
  ) as string[];
  await run(check[0] ?? "", check.slice(1), given);
  expect(await run(join(app, "deploy/entrypoint"), ["doctor"], given)).toMatch(/\n0 problems found\.\n$/);

  expect(existsSync(join(app, "node_modules/oidc-provider"))).toBe(false);
  expect(await run("node", ["lib/cli/run-typescript.mjs", "prisma/seed.ts"], given)).toMatch(/^accounts {5}http/m);

  // The image contains its licenses, as docs/licenses.md states.
  const texts = await (await fetch(`http://127.0.0.1:${port}/licenses.txt`)).text();
  for (const name of ["next", "react"]) expect(texts).toMatch(new RegExp(`^${name} \\d`, "m"));
  const lockFile = JSON.parse(readFileSync(join(app, "package-lock.json"), "utf8")) as LockFile;
  const here = productionPackages(lockFile).filter(({ name }) => existsSync(join(app, "node_modules", name)));
  const exceptional = new Set(here.flatMap((each) => exceptionFor(each) ?? []));
  expect([...exceptional].filter(({ image }) => !image).map(({ name }) => name)).toEqual([]);

  // A setting can also come from a file, here SECRET from SECRET_FILE.
  const file = join(data, "kept");
  writeFileSync(file, `${readFileSync(join(data, "secret"), "utf8")}\n`);
  chmodSync(file, 0o644);
  rmSync(join(data, "secret"));
  const again = await run(join(app, "deploy/entrypoint"), ["doctor", "--json"], { ...given, SECRET_FILE: file });
  expect(again).toContain("SECRET matches this database");
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  expect(existsSync(join(data, "postgres", "postmaster.pid"))).toBe(false);
  await all("u+w");
});
