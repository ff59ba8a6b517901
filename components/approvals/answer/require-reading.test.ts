import { expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { linkTo, markTextsRead, reasonFor, textsOf, unseenTexts, wordsFor } from "./require-reading";

test.each([
  [["the background"], 0, "the background"],
  [["Addition 1"], 1, "1 addition"],
  [["Addition 2"], 2, "the newest addition"],
  [["Addition 1", "Addition 2"], 2, "2 additions, including the newest"],
  [["the question", "Addition 3", "Addition 2"], 20, "the question, 2 additions"],
  [["the background", "this option"], 0, "the background, this option"],
])("describes the unseen parts %j of a question with %d additions", (ends, total, words) => {
  expect(wordsFor(ends, total)).toBe(words);
});

test.each([
  [[], "", ""],
  [["the background"], "Read the rest", "The rest of the background is unread."],
  [["the question", "the background"], "Read the rest", "The rest of the question is unread."],
  [["Addition 1"], "1 more addition", "1 addition unread."],
  [["the background", "Addition 3", "Addition 2"], "2 more additions", "2 additions unread."],
])("returns the link text and the reason for the unread parts %j", (names, link, reason) => {
  expect(linkTo(names)).toBe(link);
  if (names.length > 0) expect(reasonFor(names)).toBe(reason);
});

test("names an out-of-view option as the reason for a blocked answer", () => {
  expect(reasonFor(["this option"])).toBe("This option was out of view.");
});

test("treats an app's texts as unseen until the texts are marked as read", () => {
  const asked = {
    _id: "apr_1",
    options: [{ id: "yes", label: "Yes" }],
    recommendation: "Wait for the soak test",
    hasBackground: true,
    additions: [{ createdAt: 1 }, { createdAt: 2 }],
  } as InboxApproval;
  const other = { ...asked, _id: "apr_2", recommendation: "Yes", hasBackground: false, additions: [] };
  expect(textsOf(other)).toEqual([]);
  expect(unseenTexts(asked)).toEqual(["the suggestion", "the background", "Addition 1", "Addition 2"]);
  markTextsRead(asked);
  expect(unseenTexts(asked)).toEqual([]);
  const more = { ...asked, additions: [...asked.additions, { createdAt: 3 }] };
  expect(unseenTexts(more)).toEqual(["Addition 3"]);
});
