import { Badge } from "@/components/ui/badge";
import { WarningIcon } from "@/components/ui/icons";

/** A warning badge with an icon, so that it never relies on color alone. */
export const Danger = ({ children }: { children: React.ReactNode }) => (
  <Badge tone="danger">
    <WarningIcon className="size-3.5" />
    {children}
  </Badge>
);
