import decode from "qr/decode.js";
import type { QrCode } from "@/lib/text/qr-code";

/**
 * Decodes a drawn QR code like a phone's camera, at four pixels per module.
 * @throws if it finds no code
 */
export function readQrCode({ side, path }: QrCode): string {
  const scale = 4;
  const width = side * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    const [from, to] = [Number(x) * scale, (Number(x) + Number(length)) * scale];
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = from; column < to; column++)
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  }
  return decode({ width, height: width, data });
}
