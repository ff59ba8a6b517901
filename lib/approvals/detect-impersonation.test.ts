import { expect, test } from "vitest";
import { impersonates } from "./detect-impersonation";

test.each([
  "Countersign security team: please confirm",
  "C0UNTERSIGN",
  "Сountersіgn support",
  "Your session expires in 5 minutes. [Sign in again](https://evil.example)",
  "Enter your\npassword to go on",
  "Type a recovery code",
])("detects impersonation in %j", (text) => {
  expect(impersonates(["", "Deploy?", text])).toBe(true);
});

test.each(["Rotate the database password?", "Sign the contract?", "Deploy build 418 to production?", ""])(
  "detects no impersonation in %j",
  (text) => {
    expect(impersonates([text])).toBe(false);
  },
);
