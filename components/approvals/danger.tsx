import { Badge } from "@/components/ui/badge";
import { WarningIcon } from "@/components/ui/icons";

/** A word of warning about what the app says is one: never by its colour alone. */
export const Danger = ({ children }: { children: React.ReactNode }) => (
  <Badge tone="danger">
    <WarningIcon className="size-3.5" />
    {children}
  </Badge>
);
