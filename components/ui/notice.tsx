import { CheckIcon, InfoIcon, WarningIcon } from "./icons";

type Tone = "info" | "ok" | "warn" | "danger";

const looks: Record<Tone, { box: string; Icon: typeof InfoIcon }> = {
  info: { box: "border-line bg-surface text-text", Icon: InfoIcon },
  ok: { box: "border-ok bg-ok-soft text-text", Icon: CheckIcon },
  warn: { box: "border-warn bg-warn-soft text-text", Icon: WarningIcon },
  danger: { box: "border-danger bg-danger-soft text-text", Icon: WarningIcon },
};
const inks: Record<Tone, string> = { info: "text-muted", ok: "text-ok", warn: "text-warn", danger: "text-danger" };

/** Something the owner should know now. `danger` is read out at once, `ok` when there is a pause, the others with the page. */
export function Notice({
  tone = "info",
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children?: React.ReactNode;
}) {
  const { box, Icon } = looks[tone];
  const role = tone === "danger" ? "alert" : tone === "ok" ? "status" : undefined;
  return (
    <div
      className={`flex gap-3 rounded-lg border px-3.5 py-3 ${box}`}
      {...(role ? { role } : {})}
      {...(tone === "danger" ? { tabIndex: -1 } : {})}
    >
      <Icon className={`size-5 ${inks[tone]}`} />
      <div className="min-w-0 space-y-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children ? <div>{children}</div> : null}
      </div>
    </div>
  );
}
