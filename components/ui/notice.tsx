import { CheckIcon, InfoIcon, WarningIcon } from "./icons";

const looks = {
  info: { box: "border-transparent bg-fill text-ink", ink: "text-muted", Icon: InfoIcon },
  ok: { box: "border-transparent bg-fill text-ink", ink: "text-ink", Icon: CheckIcon },
  warn: { box: "border-transparent bg-warn-soft text-ink", ink: "text-warn", Icon: WarningIcon },
  danger: { box: "border-transparent bg-danger-soft text-ink", ink: "text-danger", Icon: WarningIcon },
};

type NoticeProps = { tone?: keyof typeof looks; title?: string; children?: React.ReactNode };

/**
 * A notice. Screen readers announce `danger` immediately and `ok` at the next pause. They read
 * other notices with the page.
 */
export function Notice({ tone = "info", title, children }: NoticeProps) {
  const { box, ink, Icon } = looks[tone];
  const role = tone === "danger" ? "alert" : tone === "ok" ? "status" : undefined;
  return (
    <div
      className={`flex gap-3 rounded-lg border px-3.5 py-3 ${box}`}
      {...(role ? { role } : {})}
      {...(tone === "danger" ? { tabIndex: -1 } : {})}
    >
      <Icon className={`size-5 ${ink}`} />
      <div className="min-w-0 space-y-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
    </div>
  );
}
