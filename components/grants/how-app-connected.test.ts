import { expect, test } from "vitest";
import { withoutRedirect } from "./how-app-connected";

test("states whether an app connected with a device code or the owner's tokens", () => {
  expect(withoutRedirect([{ kind: "access" }])).toBe("A code on another device");
  expect(withoutRedirect([{ kind: "personal" }])).toBe("Tokens that you created");
  expect(withoutRedirect([{ kind: "access" }, { kind: "personal" }])).toBe(
    "A code on another device · Tokens that you created",
  );
  expect(withoutRedirect([])).toBeUndefined();
});
