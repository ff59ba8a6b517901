import { expect, test } from "vitest";
import { withoutRedirect } from "./how-app-connected";

test("states whether an app connected with a device code or the owner's tokens", () => {
  expect(withoutRedirect([{ kind: "access" }])).toBe("The app itself. The app signed in with a code on another device");
  expect(withoutRedirect([{ kind: "personal" }])).toBe("The app itself. The app uses tokens you created");
  expect(withoutRedirect([])).toBe("The app itself");
});
