import { expect, it } from "vitest";
import { exposureOf } from "./exposure";

it.each([
  ["http://localhost:3000", "127.0.0.1", "here"],
  ["http://yes.localhost:3000", "0.0.0.0", "here"],
  ["http://127.0.0.1:3000", "0.0.0.0", "here"],
  ["http://[::1]:3000", "::", "here"],
  ["http://192.168.1.20:3000", "127.0.0.1", "here"],
  ["http://192.168.1.20:3000", "0.0.0.0", "http"],
  ["https://yes.example.com", "127.0.0.1", "https"],
] as const)("classifies the exposure of %s at the listen address %s as %s", (url, host, reach) =>
  expect(exposureOf(url, host)).toBe(reach),
);
