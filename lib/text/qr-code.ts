import encode from "qr";

/**
 * A QR code for an SVG: the side length in modules, including the quiet zone, and the path of the
 * dark modules.
 */
export type QrCode = { side: number; path: string };

/**
 * Returns a text as a QR code.
 * @throws {Error} if the text is too long (about 2,300 bytes)
 */
export function drawQrCode(text: string): QrCode {
  const rows = encode(text, "raw", { ecc: "medium", border: 4 });
  const path = rows.flatMap((row, y) =>
    // Draws one bar for each run of dark modules.
    [
      ...row
        .map((dark) => (dark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return { side: rows.length, path: path.join("") };
}
