import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Hooks that shorten waits to a second, because no owner answers in this test. */
export const hooks = `
import schemathesis

@schemathesis.hook
def before_call(context, case, kwargs):
    wait = str((case.query or {}).get("wait"))
    if wait.isascii() and wait.isdigit() and 1 < int(wait) <= 60:
        case.query["wait"] = 1
`;

const rejected = (reply: string) => new RegExp(`^ST202 .*\\[4\\d\\d\\].*(?:${reply})`, "s");

/**
 * Expected findings, because no schema can express these rules. Each is recognized by a part of its
 * text.
 */
export const inherent: readonly { name: string; is: RegExp; why: string }[] = [
  {
    name: "cursors",
    is: rejected("Must be a cursor from this list|Must be the ID of an event that this app can read"),
    why: "A cursor is what a reply gave. One that was made up is refused, lest a page be skipped.",
  },
  {
    name: "keys used again",
    is: rejected("This Idempotency-Key was used with a different request"),
    why: "It sends one key with several bodies, which is what a 422 is for.",
  },
  {
    name: "deadlines",
    is: rejected("Must be 10 seconds to 366 days from now"),
    why: "What may be a deadline depends on the time of the request.",
  },
  {
    name: "fields that go together",
    is: rejected(
      "Must be the ID of one of this approval's options|Requires expiresAt|Cannot be combined with ownerOnly",
    ),
    why: "A default is one of the options that are sent, has a deadline, and is never the owner's answer.",
  },
  {
    name: "options that differ",
    is: rejected("Option IDs must differ by more than case|Option labels must not look alike|Must not mix alphabets"),
    why: "Whether texts look alike is beyond a schema.",
  },
  {
    name: "characters",
    is: rejected(
      "Must not be blank|Must not stack combining marks|bidirectional overrides|Unicode tag characters|unpaired surrogate|control characters",
    ),
    why: "No pattern says it in every language alike: see `patterns` in lib/text/text-schema.ts.",
  },
  {
    name: "free-form data",
    is: rejected('"path":"data.*(levels deep|16 KiB|53 bits|a key named|JSON readers agree)'),
    why: "Its depth, size and keys are bounded in words.",
  },
  {
    name: "null",
    is: /^ST201 .*Incorrect type.*: null/s,
    why: "An optional field that is null counts as left out, for generated clients that write it.",
  },
];

type Report = {
  complete: boolean;
  operations: { tested: number };
  test_cases: { generated: number; unique_failures: number };
  errors: unknown[];
};

/**
 * Reads the findings of a Schemathesis run.
 * @param out the printed text; only there are findings complete
 */
export function readFindings(folder: string, out: string) {
  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as Report;
  const findings = out.split(/^(?:\d+\. Test Case ID: .*|_{5,}.*_{5,}|={5,}.*={5,})$/m).flatMap((part) => {
    const [, finding] = /^- (ST\d+ .*)/ms.exec(part) ?? [];
    return finding ? [finding] : [];
  });
  const { complete, operations, test_cases, errors } = report;
  if (findings.length < test_cases.unique_failures)
    throw new Error(`Of ${test_cases.unique_failures} findings ${findings.length} could be read:\n${out}`);
  return { complete, operations: operations.tested, generated: test_cases.generated, errors, findings };
}
