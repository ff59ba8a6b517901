import { expect, test } from "vitest";
import { NewApproval } from "./schema";

const options = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];
const read = (terms: object) => NewApproval.safeParse({ question: "Ship?", options, ...terms });
const problem = (terms: object) => {
  const [issue] = read(terms).error?.issues ?? [];
  return issue && [issue.path.join("."), issue.message];
};

test("a default is one of the options, has a deadline, and never stands for the owner", () => {
  expect(problem({ expiresAt: 1, defaultOptionId: "yes" })).toBeUndefined();
  expect(problem({ expiresAt: 1, defaultOptionId: "maybe" })?.[0]).toBe("defaultOptionId");
  expect(problem({ expiresAt: 1, defaultOptionId: "YES" })?.[1]).toBe("Not one of this approval's options");
  expect(problem({ defaultOptionId: "yes" })?.[1]).toMatch(/^Needs expiresAt/);
  expect(problem({ expiresAt: 1, defaultOptionId: "yes", ownerOnly: true })?.[1]).toMatch(
    /^Cannot be combined with ownerOnly/,
  );
  expect(problem({ expiresAt: 1, defaultOptionId: "yes", ownerOnly: false })).toBeUndefined();
});

test("deadlines are whole milliseconds, and ownerOnly is true or false", () => {
  for (const expiresAt of [-1, 1.5, "2030-01-01", null, Number.NaN, 2 ** 60])
    expect(problem({ expiresAt })?.[0], String(expiresAt)).toBe("expiresAt");
  for (const ownerOnly of ["true", 1, null]) expect(problem({ ownerOnly })?.[0]).toBe("ownerOnly");
  expect(read({ expiresAt: 5, ownerOnly: true }).data).toMatchObject({ expiresAt: 5, ownerOnly: true });
});
