import { expect, test } from "vitest";
import { allowsOneTap } from "./allows-one-tap";

test("requires more than one tap only for high-risk questions", () => {
  expect([undefined, null, "low", "normal", "high"].map((risk) => allowsOneTap({ risk } as { risk?: "high" }))).toEqual(
    [...[true, true, true, true], false],
  );
});
