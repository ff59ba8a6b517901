import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

type BackLinkProps = { href: string; label: string };

type PageProps = {
  title: string;
  lead?: React.ReactNode;
  back?: BackLinkProps | undefined;
  actions?: React.ReactNode;
  children: React.ReactNode;
};

/** A page's column with its heading. Every page has the same position and width. */
export function Page({ title, lead, back, actions, children }: PageProps) {
  return (
    <div className="gutter max-w-5xl pt-4 pb-8">
      <header className="mb-3">
        {back ? <BackLink {...back} /> : null}
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
          <div className="flex min-w-0 grow basis-40 flex-wrap items-baseline gap-x-3 py-1">
            <h1 className="min-w-0 text-lg">{title}</h1>
            {lead ? <p className="max-w-[68ch] text-muted">{lead}</p> : null}
          </div>
          {actions}
        </div>
      </header>
      {children}
    </div>
  );
}

/** The link to the page above. */
export const BackLink = ({ href, label }: BackLinkProps) => (
  <Link
    href={href}
    className="-ms-1.5 -mt-2 mb-1 inline-flex min-h-11 items-center gap-1 justify-self-start pe-2 text-muted hover:text-ink sm:min-h-8"
  >
    <ChevronIcon className="size-4 rotate-180" />
    {label}
  </Link>
);
