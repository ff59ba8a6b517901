import { actionUrl } from "@/components/actions/send-action";
import { FrozenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

type FreezeControlProps = {
  /** Whether a freeze of all apps is active. */
  frozen: boolean;
  className: string;
};

/**
 * The control that freezes all apps with one press, on every page. During the freeze, it links to
 * the page that ends the freeze. A plain form works without scripts and adds none.
 */
export const FreezeControl = ({ frozen, className }: FreezeControlProps) =>
  frozen ? (
    <Link href="/frozen" className={className}>
      <FrozenIcon />
      Frozen
    </Link>
  ) : (
    <form action={actionUrl("freeze.begin")} method="post" className="grid">
      <button type="submit" title="Freeze all apps" className={className}>
        <FrozenIcon />
        <span>
          Freeze<span className="sr-only"> all apps</span>
        </span>
      </button>
    </form>
  );
