import { CopyButton } from "@/components/ui/copy-button";
import { LinkLine } from "@/components/ui/links";

type ReferenceProps = { id: string; children?: React.ReactNode };

/** Links to the question's activity and, collapsed, its ID. */
export const Reference = ({ id, children }: ReferenceProps) => (
  <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
    {children}
    <LinkLine href={`/activity?subject=${id}`}>
      Activity<span className="sr-only"> of this question</span>
    </LinkLine>
    <details key={id}>
      <summary className="link inline-flex min-h-11 items-center sm:min-h-8">Technical details</summary>
      <span className="mono">{id}</span> <CopyButton text={id} label="Copy ID" variant="quiet" />
    </details>
  </div>
);
