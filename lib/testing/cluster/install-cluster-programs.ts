import { readdirSync } from "node:fs";
import { findProgram, installPackages, isExecutable } from "../find-program";
import { noPgBouncer } from "../pgbouncer";
import { bringPgBouncer } from "./build-pgbouncer";
import { bringPatroni } from "./install-patroni";
import { findSpqr, noSpqr } from "./spqr-router";

/**
 * Returns the folder of PostgreSQL's newest server programs on a Debian-based system. Undefined if
 * there are none.
 */
export function findPostgresPrograms(): string | undefined {
  const folder = "/usr/lib/postgresql";
  const versions = () => readdirSync(folder).sort((a, b) => Number(b) - Number(a));
  try {
    return versions()
      .map((version) => `${folder}/${version}/bin`)
      .find((bin) => isExecutable(`${bin}/pg_basebackup`));
  } catch {
    return undefined;
  }
}

const wanted: { here: () => unknown; packages: string[]; without: string }[] = [
  { here: () => findProgram("haproxy"), packages: ["haproxy"], without: "HAProxy" },
  { here: () => findProgram("nginx"), packages: ["nginx-light"], without: "nginx" },
  { here: () => findProgram("etcd"), packages: ["etcd-server"], without: "etcd" },
  { here: findPostgresPrograms, packages: ["postgresql"], without: "PostgreSQL's own server programs" },
];

/**
 * Installs the programs for cluster tests if possible.
 * @returns a message for each program that is still missing; the program's tests will be skipped
 */
export async function bringPrograms(): Promise<string[]> {
  const missing = wanted.filter(({ here }) => !here());
  if (missing.length > 0) installPackages(...missing.flatMap(({ packages }) => packages));
  const noPatroni = bringPatroni();
  const noPooler = await bringPgBouncer();
  return [
    ...missing
      .filter(({ here }) => !here())
      .map(
        ({ without, packages }) => `Without ${without} its tests are skipped: "apt-get install ${packages.join(" ")}"`,
      ),
    ...(noPatroni ? [noPatroni] : []),
    ...(findSpqr() ? [] : [`Tests with shards behind SPQR are skipped: this ${noSpqr}`]),
    ...(noPooler ? [`No pooler between, since that ${noPgBouncer}. ${noPooler}`] : []),
  ];
}
