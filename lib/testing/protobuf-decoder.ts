/** A Protocol Buffers message, decoded without a schema: its values by field number. */
export type Fields = {
  whole: Buffer;
  bytes(field: number): Buffer[];
  numbers(field: number): bigint[];
  messages(field: number): Fields[];
};

/**
 * Decodes a message (protobuf.dev/programming-guides/encoding).
 * @throws {RangeError} for an invalid message
 */
export function readMessage(whole: Buffer): Fields {
  const found: { field: number; value: bigint | Buffer }[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = whole.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const bytes = (length: number) => {
    if (at + length > whole.length) throw new RangeError("A message ends early");
    at += length;
    return whole.subarray(at - length, at);
  };
  while (at < whole.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    const value = kind === 0 ? varint() : kind === 1 ? bytes(8) : kind === 5 ? bytes(4) : bytes(Number(varint()));
    found.push({ field: tag >> 3, value });
  }
  const of = <T>(field: number, is: (value: unknown) => value is T) =>
    found.flatMap((it) => (it.field === field && is(it.value) ? [it.value] : []));
  const isBytes = (value: unknown): value is Buffer => Buffer.isBuffer(value);
  return {
    whole,
    bytes: (field) => of(field, isBytes),
    numbers: (field) => of(field, (value): value is bigint => typeof value === "bigint"),
    messages: (field) => of(field, isBytes).map(readMessage),
  };
}
