import { expect, it } from "vitest";
import { openMismatch, sealMismatch } from "./encrypt-wrong-account-email";

it("decrypts a value only for the account that the value was encrypted for", () => {
  const sealed = sealMismatch({ integrationId: "int_1", email: "olive@home.example" });
  expect(openMismatch("int_1", sealed)).toBe("olive@home.example");
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("olive");
  for (const other of ["", "x", sealed.slice(2), `${sealed}AA`, undefined, ["a"]]) {
    expect(openMismatch("int_1", other)).toBeUndefined();
  }
  expect(openMismatch("int_2", sealed)).toBeUndefined();
});
