import { expect, test } from "vitest";
import { isSigned } from "./answer-signature";
import { shortHash } from "./inbox-approval";

test("shows the first eight digits of a content hash", () => {
  expect(shortHash("sha256:4f244b6c00112233")).toBe("4f24 4b6c");
});

test("treats the answer to a high-risk question as signed", () => {
  expect(isSigned({ risk: "high" }, { optionId: "yes" })).toBe(true);
  expect(isSigned({ risk: "high", match: { numbers: ["12", "47", "63"] } }, {})).toBe(true);
  expect(isSigned({ risk: "high" }, {})).toBe(false);
  expect(isSigned({ risk: "normal" }, { optionId: "yes" })).toBe(false);
  expect(isSigned({}, { optionId: "yes" })).toBe(false);
});
