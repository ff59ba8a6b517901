import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { FlashProvider } from "@/components/actions/flash-context";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import type { Fields } from "@/lib/approvals/fields/field-schema";
import { AnswerValues } from "./answer-values";
import { ShownValues } from "./shown-values";
import { useAnswerValues } from "./use-answer-values";

const fields: Fields = {
  type: "object",
  properties: {
    notify: { type: "array", items: { type: "string", enum: ["mail", "phone"] }, default: ["mail"] },
    text: { type: "string", maxLength: 100, default: "one\ntwo" },
    valueOf: { type: "string" as const },
    account: { type: "string", enum: ["giro", "savings"], default: "giro" },
    lines: {
      type: "object",
      format: "items",
      items: [
        { id: "rent", label: "Rent" },
        { id: "power", label: "Power" },
      ],
      default: { rent: "approve", power: "reject" },
    },
  },
};
const approval = {
  _id: "apr_1",
  app: { name: "Courier" },
  options: [{ id: "pay", label: "Pay", fields: true }],
  fields,
} as unknown as InboxApproval;
const Form = ({ approval }: { approval: InboxApproval }) => (
  <AnswerValues approval={approval} values={useAnswerValues(approval)} />
);
/** Renders the fields, after a form with these texts was sent without scripts. */
function form(typed?: Record<string, string>) {
  const result = { ok: true as const, value: { unconfirmed: true, typed } };
  const flash = typed && { page: "/approvals/apr_1", act: "approval.answer", about: "apr_1", result };
  return renderToStaticMarkup(
    <FlashProvider flash={flash}>
      <Form approval={approval} />
    </FlashProvider>,
  );
}
const checked = (html: string) =>
  [...html.matchAll(/<input [^>]*checked=""[^>]*>/g)].map(([it]) => /value="(.*?)"/.exec(it)?.[1]);

describe("fields", () => {
  test("shows the app's proposal", () => {
    const html = form();
    expect(checked(html)).toEqual(["mail", "giro", "approve", "reject"]);
    expect(html).not.toContain("proposed");
    // The name of a field may be the name of a method.
    expect(html).not.toContain('aria-invalid="true"');
  });

  test("keeps the line breaks of a proposed text", () => {
    expect(form()).toMatch(/<textarea [^>]*name="field\.text"[^>]*>one\ntwo</);
  });

  test("keeps what the owner entered without scripts, next to the proposal", () => {
    const html = form({ "field.": "", "field.notify.1": "phone", "field.account": "", "field.lines.rent": "reject" });
    expect(checked(html)).toEqual(["phone", "", "reject", "reject"]);
    expect(html).toMatch(/proposed <bdi>mail</);
    expect(html).toMatch(/proposed <bdi>1 of 2 approved\. Rejected: Power</);
    expect(checked(form({ "field.": "" }))).toEqual(["giro", "approve", "reject"]);
  });

  test("lets the owner clear an optional choice", () => {
    expect(form()).toMatch(/<input type="radio"[^>]*name="field\.account" value=""\/><bdi>None</);
    const all = { ...fields, required: ["account"] };
    const html = renderToStaticMarkup(<Form approval={{ ...approval, fields: all }} />);
    expect(html).not.toContain("None");
  });

  test("tells the service that the form has fields, even if all are empty", () => {
    expect(form()).toContain('<input type="hidden" form="answer-apr_1" name="field." value=""/>');
  });
});

test("shows the proposal next to rows with as many approvals but other verdicts", () => {
  const values = { lines: { rent: "reject", power: "approve" } };
  const html = renderToStaticMarkup(<ShownValues approval={approval} values={values} />);
  expect(html.replace(/<[^>]*>/g, "")).toBe(
    "lines1 of 2 approved. Rejected: Rent (proposed 1 of 2 approved. Rejected: Power)",
  );
});
