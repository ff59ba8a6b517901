import { describe, expect, it } from "vitest";
import { NewApproval } from "../schema";

const refused = (...labels: string[]) =>
  NewApproval.safeParse({ question: "Ship it?", options: labels.map((label, nth) => ({ id: `${nth}`, label })) }).error
    ?.issues[0]?.message;

describe("option labels", () => {
  it.each([
    "Wi‑Fi für Ämter",
    "Δt < 5 s",
    "5 μm",
    "5 µm",
    "kΩ",
    "日本語でOK",
    "Tシャツ",
    "한국어OK",
    "C++ или Rust",
    "Приложение v2",
    "α-Test",
    "नहीं",
    "क्‍ष",
    "می‌خواهم",
    "👩‍💻 Ask Kim",
    "❤️",
    "O’Neill & Söhne",
  ])("accepts the label %s", (label) => expect(refused(label)).toBeUndefined());

  it.each(["Νo", "Yеs", "Ꭹes", "ꓬes", "Ⲩes", "Pаy now", "Yεs"])("rejects the label %s for mixing alphabets", (label) =>
    expect(refused(label)).toBe("Must not mix alphabets in a word"),
  );

  it.each(["\u2800", "\u{1d159}", "\u3164", "\ufff9\ufffb", "\u200d", "\u115f\u1160"])(
    "rejects the label %j as invisible text",
    (label) => expect(refused(label)).toBe("Must not be blank"),
  );

  it.each([
    ["No", "ΝΟ"],
    ["Yes", "Yes\u2800"],
    ["Yes", "Y\ufff9es"],
    ["Yes", "Yes\u{1d159}"],
    ["Yes", "ʏᴇꜱ"],
    ["Yes", "ꓬꓰꓢ"],
    ["Yes", "ᎩᎬᏚ"],
  ])("rejects the labels %s and %s as look-alikes", (one, other) =>
    expect(refused(one, other)).toBe("Option labels must not look alike"),
  );

  it("rejects a label that mixes alphabets and resembles another label", () =>
    expect(refused("No", "Νo")).toBeDefined());
});
