import decode from "qr/decode.js";
import { expect, it } from "vitest";
import { drawQrCode } from "./qr-code";

/** What a phone's camera would make of it: its pixels, four for each module. */
function read({ side, path }: { side: number; path: string }): string {
  const scale = 4;
  const width = side * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++)
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  }
  return decode({ width, height: width, data });
}

it.each([
  "https://yes.example.com/sign-in/link/open?token=csn_hl_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM",
  "http://192.168.1.20:3000/",
])("%s can be read from its drawing, which has a quiet zone", (text) => {
  const code = drawQrCode(text);
  expect(read(code)).toBe(text);
  const starts = [...code.path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, length]) => [x, y, length].map(Number));
  expect(Math.min(...starts.flatMap(([x = 0, y = 0]) => [x, y]))).toBe(4);
  expect(Math.max(...starts.map(([x = 0, , length = 0]) => x + length))).toBe(code.side - 4);
});
