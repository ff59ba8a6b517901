import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Field, TextInput } from "@/components/ui/fields/field";
import { ExactTime } from "@/components/ui/time/exact-time";
import type { Archive } from "@/lib/archive/archive";
import type { RetentionPolicy } from "@/lib/events/retention";
import { plural } from "@/lib/text/plural";

type OwnDataProps = {
  /** What to say first, where the sign-in is not fresh. */
  stale: React.ReactNode;
  keeping: RetentionPolicy;
  archive: Archive | undefined;
};

const archived = (days: number) =>
  `${plural(days, { one: "# day", other: "# days" })}, then in an archive that you can download for 90 days`;

/** As lib/cli/sweep.ts and lib/archive do it. */
const kept = ({ events, answered }: RetentionPolicy) => [
  ...(answered === null
    ? [["Questions, answers, notifications", "Until you delete your account"]]
    : [
        ["Questions that wait, notifications", "Until you delete your account"],
        ["Questions with an answer", archived(answered)],
      ]),
  ["Activity log", events === null ? "For good: it can only be added to" : archived(events)],
  [
    "Permissions and tokens",
    "While they are valid, then as a record. Tokens themselves are never stored, only their fingerprint",
  ],
  ["Each request an app makes", "7 days"],
  ["Linked accounts you removed", "30 days, so that apps can tell; their credentials are destroyed at once"],
  ["Sessions", "Until you sign out, at most 30 days"],
  ["Browsers that show alerts", "Until you remove them, at most 60 days after they were last seen"],
  ["Sign-in links, codes typed on devices, open consent screens", "One hour after they end"],
  ["What apps exchange for tokens", "One-time codes two hours after they end, what renews a token one day"],
];

/** What is kept for how long, a copy of it, and the way out. */
export const OwnData = ({ stale, keeping, archive }: OwnDataProps) => (
  <>
    <Card title="What is kept, and how long">
      <dl className="grid gap-x-5 gap-y-2 sm:grid-cols-[max-content_1fr]">
        {kept(keeping).map(([what, howLong]) => (
          <div key={what} className="sm:contents">
            <dt className="text-muted">{what}</dt>
            <dd>{howLong}</dd>
          </div>
        ))}
      </dl>
      <div
        id="export"
        tabIndex={-1}
        className="mt-4 outline-none flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4"
      >
        <p className="max-w-[56ch] text-muted">
          All your data in one JSON file: questions, answers, notifications, apps, permissions, activity. It contains no
          passwords, tokens or keys.
        </p>
        {/* What it leads to says that it is a file. Were it said here, the page for signing in would be saved as one. */}
        <a href="/settings/export" className={buttonClass({ size: "small" })}>
          Export my data
        </a>
      </div>
      {archive ? (
        <div
          id="archive"
          tabIndex={-1}
          className="mt-4 outline-none flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4"
        >
          <p className="max-w-[56ch] text-muted">
            Your archive holds {contentOf(archive)} from <ExactTime at={archive.firstAt} /> to{" "}
            <ExactTime at={archive.lastAt} />, which are no longer shown here. Download it before{" "}
            <ExactTime at={archive.goesAt} />, when the oldest part is deleted.
          </p>
          <a href="/settings/archive" className={buttonClass({ size: "small" })}>
            Download archive
          </a>
        </div>
      ) : null}
    </Card>
    <Card title="Delete account">
      <div id="delete" tabIndex={-1} className="outline-none">
        {stale}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-[56ch] text-muted">
            Every app loses its access at once, and everything of yours is deleted for good. You see what remains before
            you confirm.
          </p>
          <ConfirmButton
            act="account.delete"
            label="Delete my account"
            question="Delete your account for good?"
            confirm="Delete for good"
          >
            <div className="grid gap-3">
              <p>
                Gone: your questions and answers, notifications, linked accounts, permissions, tokens, settings and
                sessions. Apps you registered stop working for everybody. Nothing can be brought back.
              </p>
              <p>
                What remains: the activity log, under an anonymous number, and the names of your apps where others let
                them in.
              </p>
              <Field label="Type your e-mail to confirm" name="email">
                <TextInput type="email" autoComplete="off" required />
              </Field>
            </div>
          </ConfirmButton>
        </div>
      </div>
    </Card>
  </>
);

const contentOf = ({ answers, activity }: Archive) =>
  [
    answers > 0 && plural(answers, { one: "# answered question", other: "# answered questions" }),
    activity > 0 && plural(activity, { one: "# activity entry", other: "# activity entries" }),
  ]
    .filter(Boolean)
    .join(" and ");
