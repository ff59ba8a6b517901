import { expect, test } from "vitest";
import { NewApproval } from "./schema";

const options = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];
/** A valid deadline. The schema doesn't check how far away a deadline is. */
const later = Date.UTC(2030, 0, 1);
const read = (terms: object) => NewApproval.safeParse({ question: "Ship?", options, ...terms });
const problem = (terms: object) => {
  const [issue] = read(terms).error?.issues ?? [];
  return issue && [issue.path.join("."), issue.message];
};

test("requires a deadline and a listed option for a default answer", () => {
  expect(problem({ expiresAt: later, defaultOptionId: "yes" })).toBeUndefined();
  expect(problem({ expiresAt: later, defaultOptionId: "maybe" })?.[0]).toBe("defaultOptionId");
  expect(problem({ expiresAt: later, defaultOptionId: "YES" })?.[1]).toBe(
    "Must be the ID of one of this approval's options",
  );
  expect(problem({ defaultOptionId: "yes" })?.[1]).toMatch(/^Requires expiresAt/);
  expect(problem({ expiresAt: later, defaultOptionId: "yes", ownerOnly: true })?.[1]).toMatch(
    /^Cannot be combined with ownerOnly/,
  );
  expect(problem({ expiresAt: later, defaultOptionId: "yes", ownerOnly: false })).toBeUndefined();
});

test("requires the owner's answer if the owner signs", () => {
  for (const signedByOwner of [true, "when-possible"] as const) {
    expect(read({ signedByOwner }).data).toMatchObject({ signedByOwner });
    expect(problem({ signedByOwner, expiresAt: later, defaultOptionId: "yes" })).toEqual([
      "defaultOptionId",
      "Cannot be combined with signedByOwner, because a default is not the owner's answer",
    ]);
  }
  expect(problem({ signedByOwner: false, expiresAt: later, defaultOptionId: "yes" })).toBeUndefined();
  for (const signedByOwner of ["true", "required", 1, null])
    expect(problem({ signedByOwner })).toEqual(["signedByOwner", 'Must be true, false, "when-possible" or "in-lens"']);
});

test("accepts only the known risks and styles", () => {
  for (const risk of ["urgent", "HIGH", 1, true]) expect(problem({ risk })?.[0]).toBe("risk");
  const styled = (style: unknown) => ({ options: [{ ...options[0], style }] });
  for (const style of ["warning", "Danger", 1]) expect(problem(styled(style))?.[0]).toBe("options.0.style");
  for (const risk of ["low", "normal", "high"]) expect(read({ risk }).data).toMatchObject({ risk });
  for (const style of ["default", "danger"]) expect(read(styled(style)).data).toMatchObject(styled(style));
  expect(Object.keys(read({}).data ?? {})).toEqual(["question", "options"]);
});

test("rejects invalid values for expiresAt and ownerOnly", () => {
  for (const expiresAt of [-1, 1.5, "2030-01-01", null, Number.NaN, 2 ** 60])
    expect(problem({ expiresAt })?.[0], String(expiresAt)).toBe("expiresAt");
  for (const ownerOnly of ["true", 1, null]) expect(problem({ ownerOnly })?.[0]).toBe("ownerOnly");
  expect(read({ expiresAt: later, ownerOnly: true }).data).toMatchObject({ expiresAt: later, ownerOnly: true });
});
