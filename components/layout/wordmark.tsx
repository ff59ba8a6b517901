import { Mark } from "@/components/ui/icons";

/** Whose pages these are, where nothing else says so. @param mark the classes of the mark, for another size */
export const Wordmark = ({ mark }: { mark?: string }) => (
  <p className="flex items-center gap-2.5 text-base font-semibold tracking-tight">
    <Mark {...(mark && { className: mark })} />
    Countersign
  </p>
);
