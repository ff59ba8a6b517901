import { CheckIcon } from "@/components/ui/icons";

const steps = ["Register an app", "Create a token for it", "Send a question, answer it in Approvals"] as const;

/** The way from a new account to the first answer. `done`: how many of its steps lie behind. */
export function FirstSteps({ done }: { done: number }) {
  return (
    <ol aria-label="First steps" className="mb-5 grid gap-2 sm:grid-cols-3">
      {steps.map((step, index) => (
        <li
          key={step}
          className={`flex items-center gap-3 rounded-lg border px-3 py-2.5 ${index === done ? "border-accent bg-accent-soft font-medium" : "border-line bg-surface text-muted"}`}
          {...(index === done ? { "aria-current": "step" as const } : {})}
        >
          <span className="flex size-6 shrink-0 items-center justify-center rounded-full border border-current text-xs tabular-nums">
            {index < done ? <CheckIcon className="size-4" /> : index + 1}
          </span>
          <span>
            {step}
            {index < done ? <span className="sr-only"> (done)</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
