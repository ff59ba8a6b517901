import { describe, expect, it } from "vitest";
import { lookAlike, nameProblem } from "./app-name-checks";

describe("app names", () => {
  it.each([
    "PayPal",
    "Bill",
    "C++ bot",
    "日本語アプリ",
    "Δοκιμή",
    "Ecosystem Watch",
    "Приложение",
    "한국 앱",
    "v1.2",
    "O’Neill & Sons",
  ])("accepts the name %s", (name) => expect(nameProblem(name)).toBeUndefined());

  it.each([
    ["", "1 to 60"],
    ["x".repeat(61), "1 to 60"],
    [" Bot", "a space"],
    ["My  Bot", "two spaces in a row"],
    ["PаyPal", "alphabets"],
    ["Ρaypal", "alphabets"],
    ["ＰayPal", "NFKC"],
    ["𝐏ayPal", "NFKC"],
    ["Pay\u200bPal", "invisible"],
    ["Pay\u00adPal", "invisible"],
    ["Pay\u202ePal", "invisible"],
    ["Pay\u0000Pal", "invisible"],
    ["Pay\nPal", "invisible"],
    ["Pay\ud800Pal", "NFKC"],
    ["PayPal ✅", "invisible"],
    ["---", "letter"],
    ["Countersign", "the name of this service"],
    ["C0untersign helper", "the name of this service"],
    ["Counter Sign", "the name of this service"],
    ["Security Bot", "security"],
    ["PayPalSupport", "support"],
    ["0fficial app", "official"],
    ["System", "system"],
    ["Admin-Bot", "admin"],
  ])("rejects the name %j", (name, why) => expect(nameProblem(name)).toContain(why));

  it.each([
    "Paypa1",
    "PayPaI",
    "pаypаl",
    "ＰayPal",
    "Pay\u200bPal",
    "Pay Pal",
    "Pay-Pal",
    "PÁYPAL",
    "РауРаӏ",
    "Pay|Pal".replace("|", ""),
  ])("detects %j as a look-alike of PayPal", (name) => expect(lookAlike(name, "PayPal")).toBe(true));

  it.each([
    ["modern", "modem"],
    ["vvallet", "wallet"],
    ["G00gle", "Google"],
    ["Arnazon", "Amazon"],
    // These Greek capital letters look like Latin ones, but their lowercase letters differ.
    ["ΝΟΤΙΟΝ", "NOTION"],
    ["ΝΟΤΙΟΝ", "Notion"],
    ["Δοκιμή", "ΔΟΚΙΜΗ"],
    ["Приложение", "ПРИЛОЖЕНИЕ"],
    ["ᏀᎬᎷ", "GEM"],
    ["ꓠꓳꓔꓲꓳꓠ", "NOTION"],
    ["ɴᴏᴛɪᴏɴ", "Notion"],
  ])("detects %s as a look-alike of %s", (one, other) => expect(lookAlike(one, other)).toBe(true));

  it.each([
    ["Agent 1", "Agent 2"],
    ["Payroll", "PayPal"],
    ["日本", "日木"],
  ])("distinguishes %s from %s", (one, other) => expect(lookAlike(one, other)).toBe(false));
});
