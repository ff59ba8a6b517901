import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonName } from "../python-wheel";
import { runSystem } from "../test-with-programs";

/*
 * Describes the contents of each artifact in a software bill of materials (CycloneDX 1.5). npm
 * writes the bills of the service and the npm package. The bills for Python and Go come from their
 * package files, because the ordinary tools of Python and Go write none. The same release always
 * gets the same bill, except for the versions that pip selects.
 */

export type Component = {
  type: string;
  "bom-ref": string;
  name: string;
  version?: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
  properties?: { name: string; value: string }[];
  licenses?: object[];
};
export type Bill = {
  bomFormat: string;
  specVersion: string;
  serialNumber?: string;
  version: number;
  metadata: { timestamp?: string; component: Component } & Record<string, unknown>;
  components: Component[];
  dependencies?: { ref: string; dependsOn: string[] }[];
};

/** Returns the bill with the release's date, and with a serial number that derives from its content. */
export function reproducible(bill: Bill, date: string): Bill {
  const { serialNumber: _, ...content } = bill;
  content.metadata = { ...content.metadata, timestamp: `${date}T00:00:00Z` };
  const hex = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  // The version and variant of a UUID with custom content (RFC 9562).
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  const { bomFormat, specVersion, ...others } = content;
  return { bomFormat, specVersion, serialNumber: `urn:uuid:${parts.join("-")}`, ...others };
}

const billOf = (component: Component, components: Component[]): Bill => ({
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { component },
  components,
  dependencies: [
    { ref: component["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) },
    ...components.map((each) => ({ ref: each["bom-ref"], dependsOn: [] })),
  ],
});

const library = (purl: string, name: string, version?: string): Component => ({
  type: "library",
  "bom-ref": purl,
  name,
  ...(version && { version }),
  purl,
});

/**
 * Returns a bill without development dependencies. npm's own option for this also omits packages
 * that are both a production dependency and a dependency of a development tool.
 */
export function forProduction(bill: Bill): Bill {
  const isDevelopment = ({ properties = [] }: Component) =>
    properties.some(({ name, value }) => name === "cdx:npm:package:development" && value === "true");
  const dropped = new Set(bill.components.filter(isDevelopment).map((each) => each["bom-ref"]));
  return {
    ...bill,
    components: bill.components.filter((each) => !dropped.has(each["bom-ref"])),
    dependencies: (bill.dependencies ?? [])
      .filter(({ ref }) => !dropped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !dropped.has(other)) })),
  };
}

/**
 * Returns npm's bill for the package in a folder, without development dependencies.
 * @param name the component's name, because npm uses the folder's name
 */
export async function npmBill(folder: string, name: string, type: string): Promise<Bill> {
  const own = mkdtempSync(join(tmpdir(), "countersign-bill-"));
  try {
    copyFileSync(join(folder, "package.json"), join(own, "package.json"));
    const npm = (...args: string[]) => runSystem("npm", args, { cwd: own });
    try {
      copyFileSync(join(folder, "package-lock.json"), join(own, "package-lock.json"));
    } catch {
      // The client package has no lock file, because it has no dependencies.
      await npm("install", "--package-lock-only", "--ignore-scripts", "--omit=peer", "--no-audit", "--no-fund");
    }
    const format = ["--sbom-format", "cyclonedx", "--sbom-type", type];
    const { status, out, err } = await npm("sbom", ...format, "--package-lock-only");
    if (status !== 0) throw new Error(`npm sbom failed for ${folder}:\n${err}`);
    const bill = forProduction(JSON.parse(out) as Bill);
    return { ...bill, metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } } };
  } finally {
    rmSync(own, { recursive: true });
  }
}

/** Returns the bill of the Go module: its requirements, and its oldest supported standard library. */
export function goBill(source: string, module: string, version: string): Bill {
  const text = readFileSync(join(source, "go.mod"), "utf8");
  const [, go = ""] = /^go (\S+)$/m.exec(text) ?? [];
  const required = [...text.matchAll(/^(?:require|\t)\s*(\S+) (v\S+)/gm)].map(([, path = "", at = ""]) =>
    library(`pkg:golang/${path}@${at}`, path, at),
  );
  const component = library(`pkg:golang/${module}@v${version}`, module, `v${version}`);
  return billOf(component, [library(`pkg:golang/std@${go}`, "std", go), ...required]);
}

type PipReport = {
  install: {
    metadata: { name: string; version: string };
    download_info: { archive_info?: { hashes?: Record<string, string> } };
  }[];
};

/** Returns the packages that pip would install for a wheel, without installing them. */
async function resolvedByPip(python: string, wheel: string, extra: string): Promise<PipReport> {
  const how = ["--dry-run", "--ignore-installed", "--quiet", "--no-input", "--disable-pip-version-check"];
  const args = ["-m", "pip", "install", ...how, "--report", "-", `${wheel}[${extra}]`];
  const { status, out, err } = await runSystem(python, args);
  if (status !== 0) throw new Error(err.trim().split("\n").at(-1) ?? "pip failed.");
  return JSON.parse(out) as PipReport;
}

/**
 * Returns the bill of the Python package with its extra `receipts`.
 * @param about the wheel, and the declared requirements, like `anyio>=4`
 * @param skip called with a reason if pip cannot select versions; the bill then has none
 */
export async function pythonBill(
  about: { wheel: string; version: string; requirements: readonly string[] },
  python: string | undefined,
  skip: (reason: string) => void,
): Promise<Bill> {
  const { wheel, version, requirements } = about;
  const component = library(`pkg:pypi/${pythonName}@${version}`, pythonName, version);
  try {
    if (!python) throw new Error("There is no python3.");
    const { install } = await resolvedByPip(python, wheel, "receipts");
    const others = install.filter(({ metadata }) => metadata.name !== pythonName);
    const components = others.map(({ metadata: { name, version: at }, download_info }): Component => {
      const sha256 = download_info.archive_info?.hashes?.sha256;
      const hashes = sha256 ? [{ alg: "SHA-256", content: sha256 }] : [];
      return { ...library(`pkg:pypi/${pypiName(name)}@${at}`, name, at), hashes };
    });
    return billOf(component, components);
  } catch (error) {
    skip(`the versions of the Python package's dependencies: ${(error as Error).message}`);
    return billOf(component, requirements.map(declared));
  }
}

const pypiName = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

/** Returns a component for a requirement without a selected version. */
function declared(requirement: string): Component {
  const [, name = "", range = ""] = /^([\w.-]+)(?:\[[^\]]*\])?(.*)$/.exec(requirement) ?? [];
  const properties = [{ name: "countersign:requirement", value: range }];
  return { ...library(`pkg:pypi/${pypiName(name)}`, name), properties };
}
