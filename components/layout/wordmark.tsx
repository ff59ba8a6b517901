import { Mark } from "@/components/ui/icons";

/**
 * The product's name and mark.
 * @param mark the mark's classes, to change its size
 */
export const Wordmark = ({ mark }: { mark?: string }) => (
  <p className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
    <Mark {...(mark && { className: mark })} />
    Countersign
  </p>
);
