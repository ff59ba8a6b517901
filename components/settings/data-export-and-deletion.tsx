import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Field, TextInput } from "@/components/ui/fields/field";
import { ExactTime } from "@/components/ui/time/time-ago";
import type { Archive } from "@/lib/archive/archive";
import type { RetentionPolicy } from "@/lib/events/retention-policy";
import { plural } from "@/lib/text/plural";

type OwnDataProps = {
  /** A notice to show first if the owner did not sign in recently. */
  stale: React.ReactNode;
  keeping: RetentionPolicy;
  archive: Archive | undefined;
};

const untilDeleted = "Until you delete your account";
const archived = (days: number) => `${plural(days, { one: "# day", other: "# days" })}, then 90 days in an archive`;

/**
 * The retention periods that lib/cli/delete-expired-rows.ts and lib/archive implement.
 * docs/owners.md lists the other periods.
 */
const kept = ({ events, answered }: RetentionPolicy) => [
  ...(answered === null
    ? [["Questions, answers and notifications", untilDeleted]]
    : [
        ["Notifications and pending questions", untilDeleted],
        ["Answered questions", archived(answered)],
      ]),
  [
    "Activity log",
    events === null
      ? "Permanently. After you delete your account, the log identifies you only by an anonymous ID."
      : archived(events),
  ],
  ["Linked accounts you removed", "30 days, without their credentials"],
  ["Sessions", "Until you sign out, for at most 30 days"],
  ["Browsers with alerts", "Until you sign out or remove the browser, for at most 60 days after its last visit"],
];

/** Retention periods, data export and account deletion. */
export const OwnData = ({ stale, keeping, archive }: OwnDataProps) => (
  <>
    <Card title="Data retention">
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
          The export is one JSON file with your data, but without passwords, tokens, keys or archived data.
        </p>
        {/* Without a `download` attribute, which would save the sign-in page as a file after a
            redirect. */}
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
            Your archive contains {contentOf(archive)} from <ExactTime at={archive.firstAt} /> to{" "}
            <ExactTime at={archive.lastAt} />. The oldest part will be deleted on <ExactTime at={archive.goesAt} />.
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
          <p className="text-muted">
            If you delete your account, we permanently delete your data and revoke every app’s access. We keep the
            activity log under an anonymous ID.
          </p>
          <ConfirmButton
            act="account.delete"
            label="Delete my account"
            question="Permanently delete your account?"
            confirm="Delete permanently"
          >
            <div className="grid gap-3">
              <p>
                Deleted: your questions and answers, notifications, linked accounts, permissions, tokens, settings and
                sessions. Apps you registered stop working for everyone. You can’t undo the deletion.
              </p>
              <p>
                Kept: the activity log under an anonymous ID, and the names of your apps that other owners connected.
              </p>
              <Field label="Type your email to confirm" name="email">
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
