import { expect, it } from "vitest";
import { readQrCode } from "@/lib/testing/read-qr-code";
import { drawQrCode } from "./qr-code";

it.each([
  "https://yes.example.com/sign-in/link/open?token=csn_hl_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM",
  "http://192.168.1.20:3000/",
])("encodes %s as a readable QR code", (text) => {
  const code = drawQrCode(text);
  expect(readQrCode(code)).toBe(text);
  const starts = [...code.path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, length]) => [x, y, length].map(Number));
  expect(Math.min(...starts.flatMap(([x = 0, y = 0]) => [x, y]))).toBe(4);
  expect(Math.max(...starts.map(([x = 0, , length = 0]) => x + length))).toBe(code.side - 4);
});
