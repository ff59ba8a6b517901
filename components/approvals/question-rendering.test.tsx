import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static.edge";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Resolution } from "@/lib/approvals/schema";
import type { Formats } from "@/lib/text/dates";
import { Decision } from "./decision/decision";
import { type AnswerState, areAlike, type DisplayResolution, type InboxApproval, wrongNumber } from "./inbox-approval";
import { reportNotice } from "./list/answers/announce-answer-results";
import { FailedAnswers } from "./list/failed-answers";
import { Row } from "./list/rows/inbox-row";
import { Rows } from "./list/rows/inbox-sections";
import { SelectionBar } from "./list/selection-bar";

// Loads all code at once, because these tests render without waiting.
vi.mock("@/components/layout/lazy-component", async (original) => {
  const loadNow = (load: () => Promise<React.ComponentType<object>>) => {
    let Loaded: React.ComponentType<object>;
    void load().then((it) => {
      Loaded = it;
    });
    return (props: object) => <Loaded {...props} />;
  };
  return { ...(await original<object>()), lazyPart: loadNow, lazyView: loadNow };
});
beforeAll(() => vi.dynamicImportSettled());

const minute = 60_000;
const options = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];
const asked = ({ triage, app, ...more }: Partial<Record<keyof InboxApproval, unknown>> = {}): InboxApproval =>
  ({
    _id: "apr_1",
    _creationTime: Date.now() - minute,
    clientId: "app_1",
    question: "Ship it?",
    options,
    contentHash: "hash",
    status: "pending",
    ownerOnly: false,
    whole: true,
    additions: [],
    questions: [],
    outcomes: [],
    triage: { seen: true, askedBack: false, overtaken: false, unexpected: false, first: false, ...(triage as object) },
    app: { name: "Courier", revoked: false, muted: false, alwaysConfirm: false, ...(app as object) },
    ...more,
  }) as unknown as InboxApproval;
const byApp: Resolution = { kind: "option", optionId: "no", resolvedBy: "api", resolvedAt: Date.now() };
const about = { at: 0, request: 1 };
const none = () => undefined;

/** Returns the HTML of a question's page after the first render. */
function decisionPage(approval: InboxApproval, answer?: AnswerState, how: { tooSoon?: boolean } = {}) {
  const on = {
    ...{ answer: none, choose: () => true, holdBack: () => true },
    ...{ ask: async () => none(), snooze: none, next: none, seen: none, back: none },
  };
  const rules = { undoSeconds: 0 as const, alwaysConfirm: false, snoozes: [] };
  const rest = {
    alone: true,
    place: undefined,
    next: undefined,
    leaves: false,
    listAddress: "/approvals",
    chosen: undefined,
    tooSoon: false,
    ...how,
  };
  // An empty router is enough, because rendering doesn't use it.
  return (
    <AppRouterContext value={{} as AppRouterInstance}>
      <Decision {...{ approval, answer, rules, on, ...rest }} />
    </AppRouterContext>
  );
}
const decision = (...shown: Parameters<typeof decisionPage>) => renderToStaticMarkup(decisionPage(...shown));
const row = (approval: InboxApproval, answer?: AnswerState) =>
  renderToStaticMarkup(
    <Row
      {...{
        approval,
        answer,
        open: false,
        query: "",
        unread: false,
        due: (approval.expiresAt ?? Number.POSITIVE_INFINITY) < Date.now() + 24 * 60 * minute,
        picking: false,
        on: { select: none, open: none },
      }}
    />,
  );
/** Returns the visible text. */
const words = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("\u00a0", " ");

describe("pending question", () => {
  test("preselects no option of a pending question", () => {
    const html = decision(asked({ recommendation: "yes" }));
    expect(words(html)).toMatch(/Yes.*Courier suggests/s);
    expect(html).not.toMatch(/autofocus|checked=|aria-pressed="true"/i);
  });

  test("shows why the service rejected the last answer", () => {
    const html = decision(asked(), { ...about, item: asked(), phase: "failed", message: "Must not be blank" });
    expect(html).toMatch(/role="alert"[^>]*>.*?Must not be blank.*name="optionId"/s);
    expect(words(row(asked(), { ...about, item: asked(), phase: "failed", message: "" }))).toContain("Couldn’t send");
  });

  test("explains that a key press or tap came too soon after the question opened", () => {
    const html = decision(asked(), undefined, { tooSoon: true });
    expect(html).toMatch(/role="alert"[^>]*>This question just opened\. Press again to answer\./);
    expect(decision(asked())).not.toContain('role="alert"');
  });

  test("shows a question's deadline and default", () => {
    const soon = asked({ expiresAt: Date.now() + 12 * minute + 5000, defaultOptionId: "no", ownerOnly: true });
    const said = words(decision(soon));
    expect(said).toMatch(/Unverified · answer by .*\d\d:\d\d/);
    expect(decision(soon)).toContain('title="No one has verified this app’s name"');
    expect(said).toContain("If unansweredNo");
    expect(said).toContain("Only you can answer");
    expect(words(row(soon))).toMatch(/1[12] min left$/);
    expect(words(row(asked({ expiresAt: Date.now() + 48 * 60 * minute })))).toMatch(/1 min$/);
  });

  test("lets the owner answer after the app's access was revoked", () => {
    const html = decision(asked({ app: { revoked: true } }));
    expect(words(html)).toContain(
      "This app no longer has access and can’t read your answer. You can still answer to close the question.",
    );
    expect(html).toContain('name="optionId"');
    // A revoked app can't read a clarification either.
    expect(html).not.toContain('name="question"');
  });

  test("numbers the options of the service's own question on the first render", () => {
    expect(decision(asked({ app: { own: true } }))).toMatch(/data-options="true" data-keyed="true"/);
    expect(decision(asked())).not.toContain('data-keyed="');
  });

  test("links an app's first question to the app's access settings", () => {
    const html = decision(asked({ triage: { first: true } }));
    expect(words(html)).toContain("First question from Courier. Check that you know this app.");
    expect(html).toContain('href="/apps/app_1"');
    expect(words(decision(asked()))).not.toContain("First question");
    expect(html).toContain("I didn’t expect this question");
  });

  test("shows the number of today's questions if an app asked at least ten", () => {
    for (const [nthToday, said] of [
      [10, "10 questions"],
      [21, "21 questions"],
      [100, "100+ questions"],
    ] as const)
      expect(words(decision(asked({ triage: { nthToday } })))).toContain(`· ${said} today`);
    expect(words(decision(asked({ triage: { nthToday: 9 } })))).not.toContain("questions today");
  });

  test("shows that a question awaits the app's clarification", () => {
    const questions = [{ text: "Why?", createdAt: 2 }];
    expect(words(decision(asked({ questions })))).toMatch(/You asked .*waiting for Courier.*Why\?/s);
    expect(words(row(asked({ questions })))).toContain("You asked Courier: Why?");
    const told = asked({ questions, additions: [{ createdAt: 3, body: "Because." }] });
    expect(words(decision(told))).not.toContain("waiting for");
    expect(words(row(told))).toMatch(/Courier · updated /);
  });
});

describe("list row", () => {
  test("shows the app's suggestion in the list", () => {
    expect(words(row(asked({ recommendation: "yes" })))).toMatch(/Ship it\?Courier suggests Yes1 min$/);
    expect(words(row(asked({ recommendation: "Ask Ana" })))).toContain("Courier suggests Ask Ana");
    expect(words(row(asked()))).toMatch(/Ship it\?Courier1 min$/);
  });

  test("shows a problem with a question instead of the app's suggestion", () => {
    const said = (more: object) => words(row(asked({ recommendation: "yes", ...more })));
    expect(said({ triage: { changed: true } })).toContain("Courier · question changed · answer again");
    expect(said({ app: { revoked: true } })).toContain("Courier · no longer connected");
    expect(said({ triage: { unexpected: true } })).toContain("Courier · you reported this question");
    expect(said({ triage: { unexpected: true }, match: { picked: "wrong" } })).toContain("Courier · wrong number");
  });

  test("lists a question as closed after the owner picks a wrong number", () => {
    const heading = (approval: InboxApproval) => {
      const sections = [{ name: "asked" as const, open: true, items: [{ kind: "row" as const, approval }] }];
      const on = { onFold: none, countOf: () => 1, countIn: () => 1, onTogether: none, onHeld: none };
      return words(renderToStaticMarkup(<Rows {...{ sections, current: undefined, row: () => null, ...on }} />));
    };
    expect(heading(asked({ match: { picked: "wrong" } }))).toContain("Closed1 question");
    expect(heading(asked({ match: {} }))).toContain("Waiting for the app1 question");
  });

  test("reports a wrong number only in the open question", async () => {
    const approval = asked({ match: {} });
    const failed: AnswerState = { ...about, item: approval, phase: "failed", message: wrongNumber };
    const list = (
      <FailedAnswers answers={new Map([["apr_1", failed]])} current={undefined} onOpen={none} onSeen={none} />
    );
    expect(renderToStaticMarkup(list)).toBe("");
    const html = await new Response((await prerender(decisionPage(approval, failed))).prelude).text();
    expect(html.match(/role="alert"/g)).toHaveLength(1);
    const announced: string[] = [];
    const announce = (text: string) => void announced.push(text);
    const outlets = { announce, notify: none, onFailure: none, stateOf: none, formats: {} as Formats };
    for (const message of [wrongNumber, "Offline"])
      reportNotice({ type: "tell", news: "failed", about: [{ item: approval }], message }, outlets);
    expect(announced).toEqual(["Couldn’t send your answer. Offline"]);
  });

  test("shows in the list how a question ended", () => {
    const resolution = { ...byApp, resolvedBy: "owner" };
    expect(words(row(asked({ resolution, status: "resolved" })))).toContain("You: No");
    expect(words(row(asked({ deadlinePassed: true })))).toContain("Expired");
  });
});

describe("risk of a question", () => {
  const danger = { options: [options[0], { ...options[1], style: "danger" }] };

  test("labels a high-risk question in the list and on its page", () => {
    const risky = asked({ risk: "high" });
    for (const html of [row(risky), decision(risky)]) expect(words(html)).toContain("High risk");
  });

  test("announces a confirmation step for a high-risk answer when scripts are off", () => {
    const html = decision(asked({ risk: "high" }));
    expect(words(html)).toContain("You’ll confirm your answer in a second step.");
    expect(words(decision(asked(danger)))).not.toContain("confirm");
  });

  test("lets the owner pick one of three numbers when scripts are off", () => {
    const numbers = ["12", "47", "63"];
    const html = decision(asked({ risk: "high", match: { numbers } }));
    for (const number of numbers) expect(html).toContain(`name="picked" value="${number}"`);
    expect(html).not.toContain("checked");
    expect(decision(asked({ risk: "high", match: { numbers, picked: "right" } }))).not.toContain('name="picked"');
  });

  test("offers no options after the owner picks a wrong number", async () => {
    const approval = asked({ risk: "high", match: { numbers: ["12", "47", "63"], picked: "wrong" } });
    const html = await new Response((await prerender(decisionPage(approval))).prelude).text();
    expect(html).not.toMatch(/name="optionId"|name="picked"|>47</);
    expect(words(html)).toMatch(
      /Wrong number.*Your answer wasn’t sent, and the question is closed\..*Mute Courier.*Revoke access/s,
    );
    expect(words(html)).not.toContain("Only record the question");
  });

  test("marks the owner's answer to a high-risk question as signed", () => {
    const at = { risk: "high", contentHash: "sha256:4f244b6c00112233", status: "resolved" };
    const html = decision(asked({ ...at, resolution: { ...byApp, resolvedBy: "owner" } }));
    expect(words(html)).toMatch(/Signed \d\d:\d\d · 4f24 4b6c/);
    expect(words(decision(asked({ ...at, resolution: byApp })))).not.toContain("Signed");
    expect(words(decision(asked({ ...at, risk: "low", resolution: { ...byApp, resolvedBy: "owner" } })))).not.toContain(
      "Signed",
    );
  });

  test("shows no label for a risk below high", () => {
    const at = { _creationTime: Date.now() };
    const looks = (of: InboxApproval) => [decision(of), row(of)];
    const plain = looks(asked(at));
    for (const risk of ["low", "normal"]) expect(looks(asked({ ...at, risk }))).toEqual(plain);
    expect(plain.map(words).join()).not.toMatch(/risk|danger/i);
  });

  test("marks a dangerous option with an icon and a word", () => {
    expect(decision(asked(danger))).toMatch(/value="no"(?:(?!<button).)*<svg(?:(?!<button).)*\(danger\)/s);
    expect(decision(asked(danger))).not.toMatch(/value="yes"(?:(?!<button).)*\(danger\)/s);
  });

  test("blocks a batch answer while a high-risk question is selected", () => {
    const bar = (...selected: InboxApproval[]) =>
      words(
        renderToStaticMarkup(
          <SelectionBar
            {...{
              selected,
              onClose: none,
              countOf: () => 1,
              onAnswer: none,
              onSnooze: none,
              onSelectAll: none,
              onClear: none,
            }}
          />,
        ),
      );
    expect(bar(asked(), asked({ risk: "low" }))).toContain("Answer 2 questions…");
    const said = bar(asked(), asked({ risk: "high" }));
    expect(said).toContain("Answer high-risk questions one at a time.");
    expect(said).not.toMatch(/Answer \d+ questions/);
    expect(areAlike([asked(), asked(danger)])).toBe(false);
  });
});

describe("answered question", () => {
  const lost = { ...about, item: asked(), phase: "beaten" as const, read: true };
  const byOwner: Resolution = { ...byApp, resolvedBy: "owner" };

  test("shows the recorded answer when the owner's answer comes too late", () => {
    const said = (outcome: DisplayResolution) => words(decision(asked(), { ...lost, sent: true, outcome }));
    expect(said(byApp)).toContain("Courier already answered “No”. The answer you just sent wasn’t used.");
    expect(said({ ...byApp, byDefault: true })).toContain(
      "Your answer was late. Countersign already used the default, “No”.",
    );
    expect(said(byOwner)).toContain("You already answered “No” elsewhere. The answer you just sent wasn’t used.");
    expect(said(byApp)).toMatch(/OK.*See details/);
  });

  test("shows who answered the question while the owner was reading it", () => {
    const said = (outcome: DisplayResolution) => words(decision(asked(), { ...lost, sent: false, outcome }));
    expect(said({ ...byApp, byDefault: true })).toMatch(
      /Time ran out at \d\d:\d\d\. Countersign used the default, “No”\./,
    );
    expect(said({ ...byApp, byDefault: true })).not.toContain("Courier used");
    expect(said(byApp)).toMatch(/Courier answered its own question at \d\d:\d\d: “No”\./);
    expect(said(byOwner)).toMatch(/You answered “No” elsewhere at \d\d:\d\d\./);
    for (const outcome of [byApp, byOwner]) expect(said(outcome)).not.toMatch(/Your answer|You answered just now/);
  });

  test("grays out the options that were not chosen", () => {
    const outcome = { ...byOwner, optionId: "yes" };
    const html = decision(asked(), { ...about, item: asked(), phase: "sending", leftMs: 0, leaveAt: 1, outcome });
    expect(words(html)).toContain("Answered · Yes");
    expect(html).toMatch(/value="no"[^>]*text-muted/);
    const typed = { kind: "other" as const, otherText: "Half of it", resolvedBy: "owner" as const, resolvedAt: 1 };
    const own = decision(asked(), { ...about, item: asked(), phase: "held", leftMs: 5000, leaveAt: 1, outcome: typed });
    expect(words(own)).toContain("Answered · Half of it");
  });

  test("explains that the default was recorded at the deadline", () => {
    const resolution = { ...byApp, resolvedAt: Date.now() };
    const said = words(decision(asked({ resolution, byDefault: true, status: "resolved" })));
    expect(said).toMatch(/Time ran out, so Countersign used the default, “No”.*Asked .* · default used \d\d:\d\d/s);
    expect(said).not.toContain("answered");
  });

  test("shows when a question was asked, seen and answered", () => {
    // Just after midnight, the question would be of yesterday.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 15, 12) });
    onTestFinished(() => void vi.useRealTimers());
    const resolution = { ...byOwner, resolvedAt: Date.now() };
    const said = words(decision(asked({ resolution, status: "resolved", triage: { seenAt: Date.now() } })));
    expect(said).toMatch(/You answered · \d\d:\d\d/);
    expect(said).toMatch(/Asked \d\d:\d\d · seen \d\d:\d\d · answered \d\d:\d\d/);
  });

  test("shows an answer in green only if the owner chose a safe option", () => {
    const green = (resolution: Resolution, style?: string) =>
      decision(
        asked({
          resolution,
          status: "resolved",
          options: [
            { id: "yes", label: "Yes" },
            { id: "no", label: "No", style },
          ],
        }),
      ).includes("bg-yes-soft");
    expect([green(byOwner), green(byOwner, "danger"), green(byApp)]).toEqual([true, false, false]);
  });

  test("offers no options for a question that the app answered itself", () => {
    const resolution = { kind: "other", otherText: "Never mind", resolvedBy: "api", resolvedAt: Date.now() };
    const html = decision(asked({ resolution, status: "resolved" }));
    expect(words(html)).toMatch(/Courier answered its own question.*Never mind/s);
    expect(html).not.toContain('name="optionId"');
  });

  test("lists the latest outcome report first", () => {
    const at = Date.now();
    const outcomes = [
      { status: "started", reportedAt: at - 1 },
      { status: "done", reportedAt: at, text: "Deployed", link: "https://ci.example/418" },
    ];
    const resolution = { ...byApp, resolvedBy: "owner" };
    const html = decision(asked({ resolution, outcomes, status: "resolved" }));
    expect(words(html)).toMatch(/Done · Deployed.*Courier, .*ci\.example ↗ \(new tab\).*1 earlier report.*Started/s);
    expect(html).toContain('href="https://ci.example/418" target="_blank" rel="noopener noreferrer nofollow"');
  });
});

describe("notice about a late or failed answer", () => {
  const item = asked();
  const shown = (current: InboxApproval | undefined, ...answers: AnswerState[]) =>
    words(
      renderToStaticMarkup(
        <FailedAnswers
          {...{ current, answers: new Map(answers.map((it) => [it.item._id, it])), onOpen: none, onSeen: none }}
        />,
      ),
    );

  test("shows a notice about a late answer until the owner views the question", () => {
    const beaten = { ...about, item, phase: "beaten" as const, outcome: byApp, sent: true, read: false };
    expect(shown(undefined, beaten)).toMatch(/Ship it\?.*Courier already answered “No”.*OK/s);
    expect(shown(item, beaten)).toBe("");
    expect(shown(undefined, { ...beaten, read: true })).toBe("");
  });

  test("links to the question whose answer was not sent", () => {
    expect(shown(undefined, { ...about, item, phase: "failed", message: "Lost." })).toMatch(
      /Couldn’t send your answer\. Lost\..*Open the question/s,
    );
  });
});
