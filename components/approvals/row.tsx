import { AppIcon } from "@/components/ui/app-icon";
import { TimeAgo } from "@/components/ui/time-ago";
import { type Asked, addressOf, answerLine, endOf, type Sent, suggestedOption } from "./types";

type RowProps = {
  asked: Asked;
  sent: Sent | undefined;
  open: boolean;
  /** What the address keeps from the list: tab and filter. */
  query: string;
  /** Whether the list is of questions that wait, so that an answered one is on its way out. */
  waiting: boolean;
  onOpen: () => void;
};

/** One question in the list: a link to its own address. */
export function Row({ asked, sent, open, query, waiting, onOpen }: RowProps) {
  const { app } = asked;
  const resolution = endOf(asked, sent);
  return (
    <li>
      <a
        href={addressOf(asked._id) + query}
        data-row={asked._id}
        {...(open ? { "aria-current": "true" as const } : {})}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          onOpen();
        }}
        className="grid min-h-18 grid-cols-[auto_minmax(0,1fr)] items-start gap-3 border-b border-line border-l-3 border-l-transparent px-4 py-3 -outline-offset-2 hover:bg-raised compact:min-h-11 compact:py-1 lg:min-h-16 compact:lg:min-h-11 lg:aria-[current=true]:border-l-accent lg:aria-[current=true]:bg-accent-soft"
      >
        <AppIcon name={app.name} className="mt-0.5 size-8 compact:size-7" />
        <span className="min-w-0">
          <span className="flex items-baseline justify-between gap-3 text-xs text-muted">
            <bdi className="truncate">{app.name}</bdi>
            <TimeAgo at={resolution && !waiting ? resolution.resolvedAt : asked._creationTime} className="shrink-0" />
          </span>
          <span
            dir="auto"
            className={`line-clamp-2 compact:line-clamp-1 ${resolution && waiting ? "text-muted" : "font-medium"}`}
          >
            {asked.question}
          </span>
          <Status asked={asked} resolution={resolution} failed={sent?.state === "failed"} />
        </span>
      </a>
    </li>
  );
}

type StatusProps = { asked: Asked; resolution: Asked["resolution"]; failed: boolean };

function Status({ asked, resolution, failed }: StatusProps) {
  if (failed) return <span className="block text-xs font-semibold text-danger">Not answered: open to try again</span>;
  if (resolution)
    return (
      <span className="flex text-xs text-muted">
        <span className="shrink-0 whitespace-pre">{resolution.resolvedBy === "owner" ? "You: " : "App itself: "}</span>
        <bdi className="truncate font-medium text-text">{answerLine(asked, resolution)}</bdi>
      </span>
    );
  const { length } = asked.options;
  return (
    <span className="flex flex-wrap gap-x-2 text-xs text-muted compact:hidden">
      {length === 1 ? "1 option" : `${length} options`}
      {suggestedOption(asked) || asked.recommendation ? <span>· suggestion</span> : null}
      {asked.app.revoked ? <span className="text-warn">· app revoked, it cannot read your answer</span> : null}
    </span>
  );
}
