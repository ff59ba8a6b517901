import { expect, test } from "vitest";
import { isSigned } from "./answer-signature";

test("requires a signature for a high-risk question's option or number answer", () => {
  expect(isSigned({ risk: "high" }, { optionId: "yes" })).toBe(true);
  expect(isSigned({ risk: "high", match: { numbers: ["12", "47", "63"] } }, {})).toBe(true);
  expect(isSigned({ risk: "high" }, {})).toBe(false);
  expect(isSigned({ risk: "normal" }, { optionId: "yes" })).toBe(false);
  expect(isSigned({}, { optionId: "yes" })).toBe(false);
});
