import { addressOf } from "@/components/approvals/inbox-approval";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { menuButton, menuItem } from "./icon-menu";

/** Menu items for the question's link, its activity and, collapsed, its ID. */
export const LinkAndActivityItems = ({ id }: { id: string }) => (
  <>
    <CopyButton text={here(addressOf(id))} label="Copy link" variant="quiet" className={menuButton} />
    <Link href={`/activity?subject=${id}`} className={menuItem}>
      <span>
        Activity<span className="sr-only"> for this question</span>
      </span>
    </Link>
    <details>
      <summary className={menuItem}>Technical details</summary>
      <p className="px-3 py-1">
        <span className="mono">{id}</span> <CopyButton text={id} label="Copy ID" variant="quiet" />
      </p>
    </details>
  </>
);

const here = (path: string) => (typeof window === "undefined" ? path : window.location.origin + path);
