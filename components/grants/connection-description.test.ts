import { expect, test } from "vitest";
import { withoutRedirect } from "./connection-description";

test("states whether an app connected with a device code or the owner's tokens", () => {
  expect(withoutRedirect([{ kind: "access" }])).toBe(
    "No redirect address. The app signed in with a code on another device",
  );
  expect(withoutRedirect([{ kind: "personal" }])).toBe("No redirect address. The app uses tokens you created");
  expect(withoutRedirect([])).toBe("No redirect address");
});
