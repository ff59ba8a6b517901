import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

type PageProps = {
  title: string;
  lead?: React.ReactNode;
  back?: { href: string; label: string } | undefined;
  actions?: React.ReactNode;
  /** For one that shows things side by side. */
  wide?: boolean;
  children: React.ReactNode;
};

/** The column of a page that is read from top to bottom, with its heading. */
export function Page({ title, lead, back, actions, wide = false, children }: PageProps) {
  return (
    <div className={`mx-auto w-full px-4 py-5 sm:px-8 sm:py-8 ${wide ? "max-w-6xl" : "max-w-4xl"}`}>
      <header className="mb-5">
        {back ? (
          <Link
            href={back.href}
            className="-ms-1.5 mb-1 inline-flex min-h-11 items-center gap-1 pe-2 text-muted hover:text-text sm:min-h-8"
          >
            <ChevronIcon className="size-4 rotate-180" />
            {back.label}
          </Link>
        ) : null}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-xl">{title}</h1>
          {actions}
        </div>
        {lead ? <p className="mt-1 max-w-[68ch] text-muted">{lead}</p> : null}
      </header>
      {children}
    </div>
  );
}
