import { expect, test } from "vitest";
import { AnswerForm, BatchAnswerForm, ClarificationForm, SignatureOfferForm } from "./answer-form";

const read = (form: Record<string, string>) => AnswerForm.safeParse({ id: "apr_1", seen: "sha256:1", ...form });

test("ignores written text when an option is chosen", () => {
  expect(read({ optionId: "yes", otherText: "half a thought", note: "" }).data).toEqual({
    id: "apr_1",
    seen: "sha256:1",
    answer: { kind: "option", optionId: "yes" },
    confirmed: false,
  });
});

test("discards a confirmation of another option", () => {
  expect(read({ optionId: "yes", confirmed: "yes" }).data?.confirmed).toBe(true);
  expect(read({ optionId: "no", confirmed: "yes" }).data?.confirmed).toBe(false);
  expect(read({ otherText: "Later", confirmed: "yes" }).data?.confirmed).toBe(false);
});

test("normalizes line breaks in written answers", () => {
  expect(read({ otherText: "one\r\ntwo", note: "a\r\nb" }).data?.answer).toEqual({
    kind: "other",
    otherText: "one\ntwo",
    note: "a\nb",
  });
  expect(read({ optionId: "yes", "field.to": "Ada\r\nLovelace" }).data?.typed).toEqual({ "field.to": "Ada\nLovelace" });
});

test("names the field in the error for an invalid answer", () => {
  const problem = (form: Record<string, string>) => {
    const { path, message } = read(form).error?.issues[0] ?? {};
    return [path?.join("."), message];
  };
  expect(problem({})).toEqual(["otherText", "Write your answer first"]);
  expect(problem({ otherText: " \r\n " })).toEqual(["otherText", "Write your answer first"]);
  expect(problem({ otherText: "\u200b" })).toEqual(["otherText", "Must not be blank"]);
  expect(problem({ otherText: "x".repeat(10_001) })).toEqual(["otherText", "Must be at most 10,000 characters"]);
  expect(problem({ optionId: "yes", note: "\u202e" })).toEqual(["note", "Must not contain bidirectional overrides"]);
});

test("applies the same note rules to batch answers and single answers", () => {
  const together = (note: string) =>
    BatchAnswerForm.safeParse({ ids: ["apr_1", "apr_2"], seen: ["one", "two"], optionId: "yes", note });
  expect(together("a\r\nb").data).toEqual({
    several: [
      { id: "apr_1", seen: "one" },
      { id: "apr_2", seen: "two" },
    ],
    answer: { kind: "option", optionId: "yes", note: "a\nb" },
  });
  expect(together(" \r\n").data?.answer).toEqual({ kind: "option", optionId: "yes" });
  expect(together("\u202e").error?.issues[0]).toMatchObject({
    path: ["note"],
    message: "Must not contain bidirectional overrides",
  });
  expect(BatchAnswerForm.safeParse({ ids: [], seen: [], optionId: "yes" }).error?.issues[0]?.message).toBe(
    "Select a question first",
  );
});

test("normalizes a clarification's line breaks before validation", () => {
  const asked = (question: string) => ClarificationForm.safeParse({ id: "apr_1", question });
  expect(asked("Which\r\nbuild?").data).toEqual({ id: "apr_1", text: "Which\nbuild?" });
  const problem = (question: string) => asked(question).error?.issues[0]?.message;
  expect(problem(" \r\n ")).toBe("Write your question first");
  expect(problem("\u200b")).toBe("Must not be blank");
  expect(problem("x".repeat(2_001))).toBe("Must be at most 2,000 characters");
});

test("rejects a form without the hash of the displayed content", () => {
  const problem = { message: expect.stringMatching(/^This page is out of date/) };
  const ids = ["apr_1", "apr_2"];
  for (const form of [
    AnswerForm.safeParse({ id: "apr_1", optionId: "yes" }),
    AnswerForm.safeParse({ id: "apr_1", seen: "", optionId: "yes" }),
    BatchAnswerForm.safeParse({ ids, seen: [], optionId: "yes" }),
    BatchAnswerForm.safeParse({ ids, seen: ["one"], optionId: "yes" }),
    BatchAnswerForm.safeParse({ ids, seen: ["one", ""], optionId: "yes" }),
  ])
    expect(form.error?.issues[0]).toMatchObject(problem);
});

test("accepts only two digits as the number that the owner picked", () => {
  expect(read({ optionId: "yes", picked: "07" }).data?.picked).toBe("07");
  expect(read({ optionId: "yes", picked: "" }).data?.picked).toBeUndefined();
  for (const picked of ["7", "007", " 07", "４７", "NaN", "1e", "-1", "__proto__", "constructor", "null"])
    expect(read({ optionId: "yes", picked }).error?.issues, picked).toMatchObject([
      { path: ["picked"], message: "Pick one of the three numbers" },
    ]);
});

test("parses a signature and rejects anything else", () => {
  const signature = { statement: "{}", response: { id: "abc" } };
  const text = JSON.stringify(signature);
  expect(read({ optionId: "yes", signature: text }).data?.signature).toEqual(signature);
  const batch = { ids: ["apr_1"], seen: ["one"], optionId: "yes" };
  expect(BatchAnswerForm.safeParse({ ...batch, signature: text }).data?.signature).toEqual(signature);
  for (const wrong of ["", "{", "null", "[]", '{"statement":1,"response":{}}', '{"statement":"{}"}'])
    expect(read({ optionId: "yes", signature: wrong }).error?.issues, wrong).toMatchObject([
      { path: ["signature"], message: "The signature must be JSON" },
    ]);
});

test("reads the answer that is about to be signed as an answer form does", () => {
  const offer = (form: object) => SignatureOfferForm.safeParse({ ids: ["apr_1"], seen: ["one"], ...form });
  const several = [{ id: "apr_1", seen: "one" }];
  const forms: Record<string, string>[] = [
    { optionId: "yes", note: "a\r\nb" },
    { optionId: "yes", values: '{"amount":1}' },
    { otherText: "one\r\ntwo", note: "" },
  ];
  for (const form of forms) expect(offer(form).data).toEqual({ several, answer: read(form).data?.answer });
  expect(offer({}).error?.issues).toMatchObject([{ path: ["otherText"], message: "Write your answer first" }]);
  expect(offer({ seen: [], optionId: "yes" }).error?.issues[0]?.message).toMatch(/^This page is out of date/);
});
