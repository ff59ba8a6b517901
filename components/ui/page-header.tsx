import Link from "next/link";
import { ChevronIcon } from "./icons";

type PageHeaderProps = {
  title: string;
  /** One line under the title. */
  lead?: React.ReactNode;
  back?: { href: string; label: string };
  actions?: React.ReactNode;
};

export function PageHeader({ title, lead, back, actions }: PageHeaderProps) {
  return (
    <header className="mb-5">
      {back ? (
        <Link
          href={back.href}
          className="-ml-1.5 mb-1 inline-flex min-h-11 items-center gap-1 pr-2 text-muted hover:text-text sm:min-h-8"
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
  );
}
