import { expect, test } from "vitest";
import { shortHash } from "./inbox-approval";

test("shows the first eight digits of a content hash", () => {
  expect(shortHash("sha256:4f244b6c00112233")).toBe("4f24 4b6c");
});
