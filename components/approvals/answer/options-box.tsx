"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { plural } from "@/lib/text/plural";
import { OptionButtons, type OptionButtonsProps } from "./option-buttons";
import { areShort } from "./option-classes";

/** A question's options, or those that match a search. */
export function Options(props: Omit<OptionButtonsProps, "pair">) {
  const pair = areShort(props.options);
  return (
    <OptionsBox pair={pair} keyed={props.approval.app.own}>
      <OptionButtons {...props} pair={pair} />
      {props.options.length === 0 ? <p className="text-muted">No option matches.</p> : null}
    </OptionsBox>
  );
}

/**
 * A scrolling box for the options that shows how many are out of view.
 * @param pair whether two options share a line on a phone
 * @param keyed whether the options' numbers always show, because one of the service's own questions
 *   mentions them
 */
function OptionsBox({ pair, keyed, children }: { pair: boolean; keyed: true | undefined; children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(0);
  const count = useCallback(() => {
    const { top = 0, bottom = 0 } = box.current?.getBoundingClientRect() ?? {};
    // An option counts as visible if the first line of its label is in view.
    const isOut = (label: Element) => {
      const [line] = label.getClientRects();
      return line !== undefined && (line.top < top || line.bottom > bottom);
    };
    setMore([...(box.current?.querySelectorAll("[name=optionId] bdi") ?? [])].filter(isOut).length);
  }, []);
  // Runs after every render, because a search may have changed the options.
  useEffect(count);
  useEffect(() => {
    const sized = new ResizeObserver(count);
    if (box.current) sized.observe(box.current);
    return () => sized.disconnect();
  }, [count]);
  return (
    <>
      <div
        ref={box}
        data-options
        data-keyed={keyed}
        onScroll={count}
        className={`-m-1 grid min-h-15 auto-rows-max gap-1.5 overflow-y-auto p-1 ${pair ? "max-sm:grid-cols-2 max-sm:gap-2" : ""}`}
      >
        {children}
      </div>
      {more > 0 ? (
        <button
          type="button"
          onClick={() => {
            const it = box.current;
            if (!it) return;
            const isAtEnd = it.scrollTop + it.clientHeight >= it.scrollHeight - 1;
            it.scrollTo({ top: isAtEnd ? 0 : it.scrollTop + it.clientHeight - 48 });
          }}
          className="min-h-10 shrink-0 rounded-md text-xs font-medium text-muted hover:text-ink"
        >
          {plural(more, { one: "# more option", other: "# more options" })}
        </button>
      ) : null}
    </>
  );
}
