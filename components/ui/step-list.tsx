import { CheckIcon } from "./icons";
import { Link } from "./link";

type Step = {
  label: string;
  done: boolean;
  /** The URL of the step. */
  href?: string;
};

type StepListProps = {
  steps: readonly Step[];
  /** The accessible label, needed if no heading names the list. */
  label?: string;
  className: string;
};

/** An ordered list of steps. Completed steps are checked, and the next step is highlighted. */
export function StepList({ steps, label, className }: StepListProps) {
  const next = steps.findIndex(({ done }) => !done);
  return (
    <ol className={`grid gap-2 ${className}`} {...(label && { "aria-label": label })}>
      {steps.map((step, index) => {
        const here = index === next ? { "aria-current": "step" as const } : {};
        const content = <Content {...step} number={index + 1} />;
        return (
          <li key={step.label}>
            {step.href ? (
              <Link href={step.href} {...here} className={`${box} hover:border-edge hover:text-ink`}>
                {content}
              </Link>
            ) : (
              <div {...here} className={box}>
                {content}
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

const box =
  "flex h-full min-h-13 items-center gap-2.5 rounded-lg bg-pane forced-colors:border px-3 py-2 text-muted aria-[current=step]:border-ink aria-[current=step]:bg-fill aria-[current=step]:font-medium aria-[current=step]:text-ink";

const Content = ({ label, done, number }: Step & { number: number }) => (
  <>
    <span className="flex size-6 shrink-0 items-center justify-center rounded-full border border-current text-xs tabular-nums">
      {done ? <CheckIcon className="size-4 text-ink" /> : number}
    </span>
    <span className="min-w-0">
      {label}
      {done ? <span className="sr-only"> (done)</span> : null}
    </span>
  </>
);
