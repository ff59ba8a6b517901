import { BackToList } from "@/components/approvals/split-view";

type FrameProps = {
  /** The link back to the list, shown when the decision fills the page. */
  back: { href: string; label: string; onBack: () => void };
  /** The question's position in the list: "2 of 5". */
  place?: string | undefined;
  /** Buttons at the end of the bar. */
  tools: React.ReactNode;
  /** The answers or their result, at the bottom of the page. */
  dock?: React.ReactNode;
  children: React.ReactNode;
};

/** The frame of one decision: a bar, the question, and the answers. */
export const DecisionFrame = ({ back, place, tools, dock, children }: FrameProps) => (
  <article aria-labelledby="question" data-decision className="flex min-h-dvh flex-col">
    <div className="grid min-h-13 shrink-0 grid-cols-[1fr_auto_1fr] items-center px-1.5 sm:px-3 lg:min-h-14">
      <BackToList href={back.href} onBack={back.onBack}>
        {back.label}
      </BackToList>
      <p className="col-start-2 text-xs text-muted tabular-nums lg:invisible">{place}</p>
      <div className="col-start-3 flex justify-end">{tools}</div>
    </div>
    <div className="mx-auto grid w-full max-w-[40.5rem] grid-cols-1 gap-5 px-6 pt-2 pb-8 low:pt-0">{children}</div>
    {dock}
  </article>
);

type DockProps = Omit<React.ComponentProps<"div">, "className"> & {
  /** Whether the foot's height stays fixed while its content changes. */
  steady?: boolean;
};

/** The foot of a decision. It covers the text that scrolls under it. */
export const Dock = ({ steady = false, children, ...rest }: DockProps) => (
  <div
    data-bar
    {...rest}
    className={`in-reach z-10 mx-auto mt-auto w-full max-w-[40.5rem] gap-2 rounded-t-2xl border-t border-line bg-pane px-4 pt-3.5 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:rounded-none sm:border-0 sm:bg-bg sm:px-6 low:pt-2 low:pb-1 data-offline:[&_summary]:cursor-not-allowed data-offline:[&_summary]:opacity-55 ${steady ? "steady" : ""}`}
  >
    {children}
  </div>
);
