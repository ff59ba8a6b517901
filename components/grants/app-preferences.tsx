import { ActionForm } from "@/components/actions/action-form";
import { Switch } from "@/components/ui/fields/switch";
import type { AppPreferences } from "@/lib/grants/schema";

type AttentionProps = {
  clientId: string;
  choice: AppPreferences;
  types: readonly string[];
  /** Whether the operator serves a lens. */
  hasLens: boolean;
};

const switches = [
  {
    setting: "questionsMuted",
    label: "Mute questions",
    detail: "Questions still arrive, without alerts or badges.",
  },
  {
    setting: "notificationsMuted",
    label: "Mute notifications",
    detail: "Notifications arrive under Muted, without alerts.",
  },
  {
    setting: "alwaysConfirm",
    label: "Confirm every answer",
    detail: "Every answer needs a second press.",
  },
  {
    setting: "signAnswers",
    label: "Sign with your passkey",
    detail: "Your passkey signs every answer to this app.",
  },
  {
    setting: "signInLens",
    label: "Sign in the lens",
    detail: "The lens shows each answer away from this page, and your passkey signs it there.",
  },
] as const;

/** The form for the owner's attention settings for one app. The app can't see these settings. */
export function AppPreferencesForm({ clientId, choice, types, hasLens }: AttentionProps) {
  const listed = [...new Set([...types, ...choice.mutedTypes])].sort();
  return (
    <>
      <ul>
        {switches
          .filter(({ setting }) => setting !== "signInLens" || hasLens || choice.signInLens)
          .map(({ setting, label, detail }) => (
            <Line key={setting} label={label} detail={detail}>
              <ActionForm act="app.set-attention" fields={{ clientId, setting }} className="shrink-0">
                <Switch checked={choice[setting]} label={label} />
              </ActionForm>
            </Line>
          ))}
        <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0">
            <span className="font-medium">Alert text</span>
          </span>
          <LockScreen clientId={clientId} chosen={choice.lockScreen} />
        </li>
      </ul>
      {listed.length > 0 && !choice.notificationsMuted ? (
        <details open={choice.mutedTypes.length > 0}>
          <summary className="link inline-flex min-h-11 items-center">
            Mute notification types ({choice.mutedTypes.length} of {listed.length} muted)
          </summary>
          <ul>
            {listed.map((type) => (
              <Line key={type} label={<bdi className="mono">{type.trim() || "No type"}</bdi>}>
                <ActionForm act="app.mute-type" fields={{ clientId, type }} className="shrink-0">
                  <Switch
                    checked={choice.mutedTypes.includes(type)}
                    label={`Mute ${type.trim() || "notifications without a type"}`}
                  />
                </ActionForm>
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

const lockScreens = { same: "Use my settings", private: "App name only", full: "App name and text" };

const LockScreen = ({ clientId, chosen }: { clientId: string; chosen: AppPreferences["lockScreen"] }) => (
  <ActionForm act="app.set-lock-screen" fields={{ clientId }} className="flex flex-wrap gap-1">
    {Object.entries(lockScreens).map(([value, label]) => (
      <button
        key={value}
        type="submit"
        name="lockScreen"
        value={value}
        aria-pressed={value === (chosen ?? "same")}
        className="min-h-11 rounded-lg border border-line px-3 text-muted aria-pressed:border-ink aria-pressed:bg-fill aria-pressed:font-semibold aria-pressed:text-ink sm:min-h-9"
      >
        {label}
      </button>
    ))}
  </ActionForm>
);
