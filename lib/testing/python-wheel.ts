import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/*
 * The service hosts the Python package as a wheel too (PyPA binary distribution format), because
 * pip installs wheels without a build. Its metadata comes only from pyproject.toml. A test compares
 * the wheel with hatchling's.
 */

type File = readonly [path: string, bytes: Buffer];

/**
 * Builds the wheel. The same sources produce the same bytes.
 * @param source the folder with pyproject.toml
 * @param names the package's files below `src`
 */
export function wheelOf(source: string, names: readonly string[]): Buffer {
  const project = readFileSync(join(source, "pyproject.toml"), "utf8");
  const info = `${text(project, "name")}-${text(project, "version")}.dist-info`;
  const files: File[] = [
    ...names.map((name): File => [name, readFileSync(join(source, "src", name))]),
    [`${info}/METADATA`, Buffer.from(metadata(project, readFileSync(join(source, "README.md"), "utf8")))],
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
  const record: File = [`${info}/RECORD`, Buffer.from(`${recorded.join("")}${info}/RECORD,,\n`)];
  return zip([...files, record]);
}

/** Returns the wheel's METADATA file. */
function metadata(project: string, description: string): string {
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

/**
 * Builds a ZIP archive of uncompressed files. Its bytes are always the same, because all files have
 * one fixed date.
 */
function zip(files: readonly File[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = Buffer.from(path);
    // The part of the header from "version needed to extract" to "extra field length". Bit 11 marks
    // names as UTF-8, and 0x21 is 1980-01-01.
    const about = Buffer.alloc(26);
    for (const [offset, value] of [
      [0, 20],
      [2, 0x0800],
      [8, 0x21],
      [22, name.length],
    ] as const)
      about.writeUInt16LE(value, offset);
    for (const [offset, value] of [
      [10, crc32(bytes)],
      [14, bytes.length],
      [18, bytes.length],
    ] as const)
      about.writeUInt32LE(value, offset);
    const end = Buffer.alloc(14);
    // A plain file that everyone may read.
    end.writeUInt32LE(0o100644 * 0x10000, 6);
    end.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), about, end, name]));
    const entry = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), about, name, bytes]);
    parts.push(entry);
    at += entry.length;
  }
  const listed = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.write("PK\x05\x06", "latin1");
  last.writeUInt16LE(files.length, 8);
  last.writeUInt16LE(files.length, 10);
  last.writeUInt32LE(listed.length, 12);
  last.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, last]);
}
