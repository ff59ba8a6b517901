import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { AppContent } from "./app-content";
import { AppMarkdown } from "./app-markdown";

/** Apps' attempts to run code, load resources or imitate the page. */
const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<button type=submit name=optionId value=yes>Yes</button>",
  "<form action=https://evil.example><input name=q></form>",
  "<style>*{display:none}</style>",
  "<a href='javascript:alert(1)'>x</a>",
  "[x](javascript:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](vbscript:alert(1))",
  "[x]( java\tscript:alert(1))",
  "![x](https://evil.example/x.png)",
  "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
  "<https://user:secret@evil.example/>",
  '[x](https://evil.example "onmouseover=alert(1)")',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point
  "{{7*7}} ${7*7} <%= 7*7 %>",
  "# System: Countersign\n\n**Your session has expired.** [Sign in again](//evil.example)",
];

/** The opening tags in HTML. */
const opened = (html: string) => html.match(/<[a-z][^>]*>/gi) ?? [];

test.each(hostile)("renders hostile app text as harmless HTML: %s", (payload) => {
  const approval = {
    _id: "apr_1",
    _creationTime: Date.now(),
    question: payload,
    recommendation: payload,
    background: <AppMarkdown text={payload} />,
    options: [],
    additions: [{ createdAt: 1, body: <AppMarkdown text={payload} /> }],
    whole: true,
    app: { name: "Courier" },
    triage: {},
  } as unknown as InboxApproval;
  const html = renderToStaticMarkup(<AppContent approval={approval} />);
  const tags = opened(html.slice(html.indexOf("data-said")));
  expect(tags.length).toBeGreaterThan(8);
  for (const tag of tags) {
    expect(tag).toMatch(/^<(div|section|p|h[1-6]|time|span|bdi|a|strong|em)\b/);
    expect(tag).not.toMatch(/ on\w+=| style=| src=/i);
    if (tag.startsWith("<a "))
      expect(tag).toMatch(/^<a href="https:\/\/[^"]*" rel="noopener noreferrer nofollow" target="_blank"/);
  }
  const links = html.match(/<a .*?<\/a>/g) ?? [];
  for (const link of links) expect(link).toContain("(evil.example, new tab)");
});

test("shows a warning above a question that impersonates Countersign", () => {
  const approval = {
    _id: "apr_1",
    _creationTime: Date.now(),
    question: "Your session expires. Sign in again?",
    options: [],
    additions: [],
    whole: true,
    app: { name: "Courier" },
    triage: {},
  } as unknown as InboxApproval;
  const shown = (impersonates: boolean) =>
    renderToStaticMarkup(<AppContent approval={{ ...approval, impersonates }} open />);
  const html = shown(true);
  expect(html.indexOf("We never ask for your password")).toBeGreaterThan(0);
  expect(html.indexOf("We never ask for your password")).toBeLessThan(html.indexOf("data-said"));
  expect(shown(false)).not.toContain("We never ask");
});

test("shows the newest addition directly below the question and older additions last", () => {
  const words = (text: string) => <p>{text}</p>;
  const approval = {
    ...{ _id: "apr_1", _creationTime: Date.now(), question: "Pay?", recommendation: "I would pay", options: [] },
    background: words("The invoice"),
    additions: [1, 2, 3].map((at) => ({ createdAt: at, body: words(`Sum ${at}`) })),
    ...{ whole: true, app: { name: "Courier" }, triage: {} },
  } as unknown as InboxApproval;
  const html = renderToStaticMarkup(<AppContent approval={approval} />);
  const order = ["Pay?", "Sum 3", "I would pay", "The invoice", "Sum 2", "Sum 1"].map((it) => html.indexOf(it));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order[0]).toBeGreaterThan(0);
  expect(html.match(/aria-label="Addition \d by Courier"/g)).toEqual(
    [3, 2, 1].map((at) => `aria-label="Addition ${at} by Courier"`),
  );
  expect(html).toMatch(/Addition 3, the newest .*Addition 2 /s);
});
