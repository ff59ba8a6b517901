import fc from "fast-check";

const halves = { from: 0xd800, count: 2048 };

/**
 * Generates strings of any Unicode characters. `fc.string` with the unit "binary" is slow, because
 * it first lists every character.
 */
export const codePoints = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0, max: 0x10ffff - halves.count }), { maxLength })
    .map((places) => String.fromCodePoint(...places.map((at) => (at < halves.from ? at : at + halves.count))));
