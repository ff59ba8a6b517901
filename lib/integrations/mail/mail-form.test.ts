import { expect, it } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { readForm } from "@/lib/web/read-form";
import { MailForm, openFormValues, parseMailForm, sealFormValues, toFormFields } from "./mail-form";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});

const robin = { kind: "owner", ownerId: "own_robin" } as const;
const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};
const good = { email: " robin@example.com ", password: " se same ", kinds: "read" };
const read = (fields: Record<string, string>) => MailForm.safeParse(readForm(MailForm, form(fields)));

it("accepts a form with only an email address and a password", () => {
  expect(read({ ...good, imapHost: "", imapPort: "", smtpTls: "", user: "" }).data).toEqual({
    email: "robin@example.com",
    password: " se same ",
    kinds: "read",
    smtpTls: undefined,
  });
  expect(read({ ...good, imapPort: " 993 ", user: " robin " }).data).toMatchObject({ imapPort: 993, user: "robin" });
});

it.each<[change: Record<string, string>, field: string]>([
  [{ email: "robin" }, "email"],
  [{ email: "" }, "email"],
  [{ email: "robin@example.com\r\nx" }, "email"],
  [{ password: "" }, "password"],
  [{ password: "a\0b" }, "password"],
  [{ password: "a\r\nA1 LOGOUT" }, "password"],
  [{ password: "x".repeat(1001) }, "password"],
  [{ kinds: "all" }, "kinds"],
  [{ user: "a\nb" }, "user"],
  [{ imapPort: "99999999" }, "imapPort"],
  [{ imapPort: "993x" }, "imapPort"],
  [{ smtpTls: "none" }, "smtpTls"],
])("rejects the mail settings %j", (change, field) => {
  expect(read({ ...good, ...change }).error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
});

it("keeps all form values except the password", () => {
  const typed = parseMailForm(form({ ...good, imapHost: "imap.example.com", other: "x" }));
  expect(typed).toEqual({ email: " robin@example.com ", kinds: "read", imapHost: "imap.example.com" });
  const sealed = sealFormValues(robin, typed);
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(openFormValues(robin, sealed)).toEqual(typed);
});

it("ignores kept form values that are forged or belong to another owner", () => {
  const sealed = sealFormValues({ ...robin, ownerId: "own_mallory" }, { imapHost: "imap.mallory.example" });
  expect(openFormValues(robin, sealed)).toEqual({});
  for (const junk of ["", "e30", Buffer.from('{"imapHost":"x"}').toString("base64url")]) {
    expect(openFormValues(robin, junk)).toEqual({});
  }
});

it("converts mail servers to form values", () => {
  expect(toFormFields({ imap: { host: "2606:4700::1", port: 143, tls: false } })).toEqual({
    imapHost: "[2606:4700::1]",
    imapPort: "143",
    imapTls: "starttls",
  });
});
