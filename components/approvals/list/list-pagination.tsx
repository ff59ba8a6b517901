import { inboxUrl } from "@/components/approvals/inbox-url";
import { ButtonLink } from "@/components/ui/styled-links";
import type { ApprovalFilter } from "@/lib/approvals/schema";
import { countText } from "@/lib/text/plural";
import { ShowMore } from "./rows/show-more-on-scroll";

type ListPaginationProps = {
  filter: ApprovalFilter;
  /** Whether this page can load more of the list. */
  grows: boolean;
  next: string | undefined;
  /** The date that an incomplete search reached, as text. */
  reached: string | undefined;
};

/** The links below the list: to show more, to the next page, and back to the first page. */
export function ListPagination({ filter, grows, next, reached }: ListPaginationProps) {
  if (grows) return <ShowMore href={inboxUrl({ ...filter, rows: "50" })} />;
  const first = filter.after === undefined;
  if (!next && first) return null;
  const onwards = filter.list === "answered" ? "Earlier answers" : "Next 50 questions";
  return (
    <nav aria-label="Pages" className="grid gap-2 px-4 py-3">
      {reached ? (
        <p className="text-muted">
          Searched {countText(10_000)} questions, back to {reached}.
        </p>
      ) : null}
      <div className="flex flex-wrap justify-between gap-2">
        {first ? (
          <span />
        ) : (
          <ButtonLink href={inboxUrl({ ...filter, after: undefined })} size="small">
            Back to the first page
          </ButtonLink>
        )}
        {next ? (
          <ButtonLink href={inboxUrl({ ...filter, after: next })} size="small">
            {reached ? "Keep searching" : onwards}
          </ButtonLink>
        ) : null}
      </div>
    </nav>
  );
}
