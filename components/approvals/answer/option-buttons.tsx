"use client";
import { KeyCap } from "@/components/keys/key-cap";
import { Badge } from "@/components/ui/badge";
import type { ApprovalOption } from "@/lib/approvals/schema";

type OptionButtonsProps = {
  options: ApprovalOption[];
  suggested: ApprovalOption | undefined;
  /** The id of the one that was chosen and not sent, where a press only chooses. */
  chosen: string | undefined;
  /** Chooses instead of sending. */
  onChoose: ((id: string) => void) | undefined;
};

/** The options as buttons that send; nothing is chosen in advance. */
export function OptionButtons({ options, suggested, chosen, onChoose }: OptionButtonsProps) {
  const labels = options.map(({ label }) => label.trim().toLowerCase());
  return options.map((option, at) => (
    <button
      key={option.id}
      type="submit"
      name="optionId"
      value={option.id}
      formNoValidate
      {...(at < 9 ? { "aria-keyshortcuts": String(at + 1) } : {})}
      {...(onChoose || chosen !== undefined ? { "aria-pressed": option.id === chosen } : {})}
      {...(onChoose
        ? {
            onClick: (event: React.MouseEvent) => {
              event.preventDefault();
              onChoose(option.id);
            },
          }
        : {})}
      className="flex min-h-13 w-full items-start gap-3 rounded-lg border border-edge bg-raised px-3.5 py-3 text-left transition-colors duration-100 hover:border-accent hover:bg-accent-soft aria-pressed:border-2 aria-pressed:border-accent aria-pressed:bg-accent-soft"
    >
      <KeyCap shown={at < 9}>{at + 1}</KeyCap>
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="text-base font-medium">{option.label}</bdi>
          {option.id === chosen ? <Badge tone="solid">Chosen</Badge> : null}
          {option === suggested ? <Badge tone="accent">Suggested</Badge> : null}
          {labels.indexOf(labels[at] ?? "") !== labels.lastIndexOf(labels[at] ?? "") ? (
            <span className="mono text-muted">{option.id}</span>
          ) : null}
        </span>
        {option.note ? (
          <span dir="auto" className="mt-0.5 block text-muted">
            {option.note}
          </span>
        ) : null}
      </span>
    </button>
  ));
}
