import { buttonClass } from "@/components/ui/button";
import { ChevronIcon } from "@/components/ui/icons";

type FoldProps = { label: string; open?: boolean | undefined; className?: string; children: React.ReactNode };

/** Optional fields and text, collapsed under a title. */
export const Disclosure = ({ label, open, className = "", children }: FoldProps) => (
  <details className={`group ${className}`} open={open}>
    <summary className={`${buttonClass({ variant: "quiet", size: "small" })} -ms-3`}>
      <ChevronIcon className="size-4 rotate-90 group-open:-rotate-90" />
      {label}
    </summary>
    {children}
  </details>
);
