import { LatestOutcome } from "@/components/approvals/decision/outcomes";
import { span } from "@/components/approvals/decision/resolution";
import { addressOf, answeredBy, answerLine, type InboxApproval } from "@/components/approvals/types";
import { AppIcon } from "@/components/ui/app-icon";

type HistoryRowProps = {
  approval: InboxApproval;
  /** The time of day of the answer, on the owner's clock: "14:02". */
  clock: string;
  open: boolean;
  /** What the address keeps from the list. */
  query: string;
  onOpen: () => void;
};

/** One answer in the list: a link to its own address. On a phone, a card. */
export function HistoryRow({ approval, clock, open, query, onOpen }: HistoryRowProps) {
  const { app, resolution, _creationTime: created } = approval;
  if (!resolution) return null;
  return (
    <li className="[content-visibility:auto] [contain-intrinsic-size:auto_5.5rem]">
      <a
        href={addressOf(approval._id) + query}
        data-row={approval._id}
        {...(open ? { "aria-current": "true" as const } : {})}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          onOpen();
        }}
        className="grid min-h-18 grid-cols-[auto_minmax(0,1fr)] items-start gap-3 px-4 py-3 -outline-offset-2 hover:bg-raised max-sm:mx-3 max-sm:mb-2 max-sm:rounded-xl max-sm:border max-sm:border-line max-sm:bg-raised max-sm:shadow-card sm:border-b sm:border-line sm:border-l-3 sm:border-l-transparent lg:aria-[current=true]:border-l-accent lg:aria-[current=true]:bg-accent-soft"
      >
        <AppIcon name={app.name} className="mt-0.5 size-8" />
        <span className="min-w-0">
          <span className="flex items-baseline justify-between gap-3 text-xs text-muted">
            <bdi className="truncate">{app.name}</bdi>
            <span className="shrink-0 tabular-nums">
              {clock}
              <span className="max-lg:hidden xl:inline"> · after {span(resolution.resolvedAt - created)}</span>
            </span>
          </span>
          <span dir="auto" className="line-clamp-2 text-muted">
            {approval.question}
          </span>
          <span className="flex">
            <span className="shrink-0 whitespace-pre text-muted">{answeredBy(approval, resolution)}: </span>
            <bdi className="truncate font-medium">{answerLine(approval, resolution)}</bdi>
          </span>
          <LatestOutcome approval={approval} />
        </span>
      </a>
    </li>
  );
}
