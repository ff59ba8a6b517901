import { crc32 } from "node:zlib";

export type ArchivedFile = readonly [path: string, bytes: Buffer];

/**
 * Builds a ZIP archive of uncompressed files. The same files always produce the same bytes, because
 * every file has the same fixed date.
 */
export function zipOf(files: readonly ArchivedFile[]): Buffer {
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
    // Marks a regular file that everyone may read.
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
