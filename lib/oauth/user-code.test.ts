import { expect, it } from "vitest";
import { newId } from "@/lib/ids";
import { configure } from "@/lib/testing/change-settings";
import { parseUserCode, userCodeFor } from "./user-code";

configure({ DATABASE_URL: "postgresql://nowhere", SECRET: "only-for-tests-0123456789abcdef0123456789abcdef" });

it("derives eight evenly distributed consonants from a device request", () => {
  const codes = Array.from({ length: 2000 }, () => userCodeFor(newId("dev")));
  for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(new Set(codes).size).toBe(codes.length);
  for (let at = 0; at < 9; at++) expect(new Set(codes.map((code) => code[at])).size).toBe(at === 4 ? 1 : 20);
  const id = newId("dev");
  expect(userCodeFor(id)).toBe(userCodeFor(id));
});

it.each(["BCDF-GHJK", "bcdf-ghjk", "bcdfghjk", " BcDf ghJK ", "b c d f g h j k", "BCDF–GHJK", "ＢＣＤＦ－ＧＨＪＫ"])(
  "normalizes the user code %j",
  (typed) => expect(parseUserCode(typed)).toBe("BCDF-GHJK"),
);

it.each(["", "BCDF-GHJ", "BCDF-GHJKL", "ABCD-EFGH", "1234-5678", "BCDF-GHJK; DROP", "\0BCDFGHJK", "ßBCDFGHJ"])(
  "rejects the user code %j",
  (typed) => expect(parseUserCode(typed)).toBeUndefined(),
);
