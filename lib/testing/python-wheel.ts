import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ArchivedFile, zipOf } from "./zip-archive";

/*
 * In addition to the Python package's source archive, the service hosts a wheel (PyPA binary
 * distribution format), because pip installs wheels without a build. The wheel's metadata comes
 * only from pyproject.toml. A test compares the wheel with the one that hatchling builds.
 */

/** The package's name on PyPI, where another project owns the name `countersign`. */
export const pythonName = "countersign-client";

/** The package's name in the names of its files, where a hyphen separates the version (PEP 625). */
export const pythonFileName = "countersign_client";

/**
 * Builds the wheel. The same sources always produce the same bytes.
 * @param source the folder with pyproject.toml
 * @param names the paths of the package's files below `src`
 */
export function wheelOf(source: string, names: readonly string[]): Buffer {
  const project = readFileSync(join(source, "pyproject.toml"), "utf8");
  const info = `${pythonFileName}-${text(project, "version")}.dist-info`;
  const files: ArchivedFile[] = [
    ...names.map((name): ArchivedFile => [name, readFileSync(join(source, "src", name))]),
    [`${info}/METADATA`, Buffer.from(packageMetadata(project, readFileSync(join(source, "README.md"), "utf8")))],
    [
      `${info}/WHEEL`,
      Buffer.from("Wheel-Version: 1.0\nGenerator: countersign\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ],
    [`${info}/licenses/LICENSE`, readFileSync(join(source, "LICENSE"))],
  ];
  const recorded = files.map(([path, bytes]) => {
    const digest = createHash("sha256").update(bytes).digest("base64url");
    return `${path},sha256=${digest},${bytes.length}\n`;
  });
  const record: ArchivedFile = [`${info}/RECORD`, Buffer.from(`${recorded.join("")}${info}/RECORD,,\n`)];
  return zipOf([...files, record]);
}

/** Returns the text of the wheel's METADATA file, which is also the source archive's PKG-INFO. */
export function packageMetadata(project: string, description: string): string {
  const optional = project.slice(project.indexOf("[project.optional-dependencies]"));
  const extras = [...optional.slice(0, optional.indexOf("\n\n")).matchAll(/^([\w-]+) = \[(.*)\]$/gm)];
  const fields: [string, string][] = [
    ["Metadata-Version", "2.4"],
    ["Name", text(project, "name")],
    ["Version", text(project, "version")],
    ["Summary", text(project, "description")],
    ["License-Expression", text(project, "license")],
    ...texts(project, "license-files").map((file): [string, string] => ["License-File", file]),
    ["Keywords", texts(project, "keywords").join(",")],
    ...texts(project, "classifiers").map((it): [string, string] => ["Classifier", it]),
    ...[...project.matchAll(/^(Source) = "(.*)"$/gm)].map(([, label, url]): [string, string] => [
      "Project-URL",
      `${label}, ${url}`,
    ]),
    ["Requires-Python", text(project, "requires-python")],
    ...texts(project, "dependencies").map((it): [string, string] => ["Requires-Dist", it]),
    ...extras.flatMap(([, extra = "", needs = ""]): [string, string][] => [
      ["Provides-Extra", extra],
      ...quoted(needs).map((it): [string, string] => ["Requires-Dist", `${it}; extra == '${extra}'`]),
    ]),
    ["Description-Content-Type", "text/markdown"],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join("")}\n${description}`;
}

const quoted = (list: string) => [...list.matchAll(/"([^"]*)"/g)].map(([, it = ""]) => it);
const texts = (project: string, name: string) =>
  quoted(new RegExp(`^${name} = \\[([\\s\\S]*?)\\]$`, "m").exec(project)?.[1] ?? "");
function text(project: string, name: string): string {
  const [, value] = new RegExp(`^${name} = "(.*)"$`, "m").exec(project) ?? [];
  if (!value) throw new Error(`pyproject.toml has no ${name}`);
  return value;
}
