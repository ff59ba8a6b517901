import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Switch } from "@/components/ui/fields/switch";
import type { AppChoice } from "@/lib/grants/schema";

type AttentionProps = {
  clientId: string;
  choice: AppChoice;
  /** Types of its notifications. */
  types: readonly string[];
  choose: FormAction;
  chooseType: FormAction;
  chooseLockScreen: FormAction;
};

const switches = [
  {
    what: "questionsMuted",
    label: "Mute its questions",
    detail: "They wait in Approvals, without an alert and without counting.",
  },
  { what: "notificationsMuted", label: "Mute its notifications", detail: "They are kept, without an alert." },
  {
    what: "alwaysConfirm",
    label: "Always confirm",
    detail: "A click or key only picks an answer to this app; a second one sends it.",
  },
] as const;

/** How much of the owner's attention an app gets. The app never learns any of it. */
export function Attention({ clientId, choice, types, choose, chooseType, chooseLockScreen }: AttentionProps) {
  const listed = [...new Set([...types, ...choice.mutedTypes])].sort();
  return (
    <>
      <ul className="divide-y divide-line">
        {switches.map(({ what, label, detail }) => (
          <Line key={what} label={label} detail={detail}>
            <SwitchForm action={choose} label={label} on={choice[what]} fields={{ clientId, what }} />
          </Line>
        ))}
        <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0">
            <span className="font-medium">Alerts on the lock screen</span>
            <span className="block text-muted">What others may read over your shoulder.</span>
          </span>
          <LockScreen action={chooseLockScreen} clientId={clientId} chosen={choice.lockScreen} />
        </li>
      </ul>
      {listed.length > 0 && !choice.notificationsMuted ? (
        <details className="border-t border-line pt-1" open={choice.mutedTypes.length > 0}>
          <summary className="link inline-flex min-h-11 items-center">
            Mute some kinds of its notifications ({choice.mutedTypes.length} of {listed.length} muted)
          </summary>
          <ul className="divide-y divide-line">
            {listed.map((type) => (
              <Line key={type} label={<bdi className="mono">{type.trim() || "No type"}</bdi>}>
                <SwitchForm
                  action={chooseType}
                  label={`Mute ${type.trim() || "what has no type"}`}
                  on={choice.mutedTypes.includes(type)}
                  fields={{ clientId, type }}
                />
              </Line>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function Line({ label, detail, children }: { label: React.ReactNode; detail?: string; children: React.ReactNode }) {
  return (
    <li className="flex items-center justify-between gap-4 py-1">
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        {detail ? <span className="block text-muted">{detail}</span> : null}
      </span>
      {children}
    </li>
  );
}

type SwitchFormProps = { action: FormAction; label: string; on: boolean; fields: Record<string, string> };

const SwitchForm = ({ action, label, on, fields }: SwitchFormProps) => (
  <ActionForm action={action} className="shrink-0">
    {Object.entries({ ...fields, on: on ? "no" : "yes" }).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <Switch checked={on} label={label} />
  </ActionForm>
);

const lockScreens = [
  { value: "same", label: "As in Settings" },
  { value: "private", label: "Its name only" },
  { value: "full", label: "The whole text" },
] as const;

type LockScreenProps = { action: FormAction; clientId: string; chosen: AppChoice["lockScreen"] };

const LockScreen = ({ action, clientId, chosen }: LockScreenProps) => (
  <ActionForm action={action} className="flex flex-wrap gap-1">
    <input type="hidden" name="clientId" value={clientId} />
    {lockScreens.map(({ value, label }) => (
      <button
        key={value}
        type="submit"
        name="lockScreen"
        value={value}
        aria-pressed={value === (chosen ?? "same")}
        className="min-h-11 rounded-lg border border-line px-3 text-muted aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent sm:min-h-9"
      >
        {label}
      </button>
    ))}
  </ActionForm>
);
