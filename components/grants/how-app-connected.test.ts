import { expect, test } from "vitest";
import { withoutRedirect } from "./how-app-connected";

test("states whether a device code or the owner's tokens connected an app", () => {
  expect(withoutRedirect([{ kind: "access" }])).toBe(
    "No redirect address. The app signed in with a code on another device",
  );
  expect(withoutRedirect([{ kind: "personal" }])).toBe("No redirect address. The app uses tokens you created");
  expect(withoutRedirect([])).toBe("No redirect address");
});
