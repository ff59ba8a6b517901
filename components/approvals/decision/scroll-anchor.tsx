"use client";
import { Component } from "react";

/** No longer than presses are not believed in either. */
const settledMs = 300;

type StaysPutProps = {
  /** What it is that keeps its place on the screen. */
  which: string;
  /** It does so whenever this becomes another value, for the same `of`. */
  when: number;
  of: string;
};

/**
 * Something comes in above what somebody may be about to press: the page is scrolled by as much, as far as it can be, so that
 * it stays under the finger. It shows nothing itself. (A class, since nothing else is asked before the page is changed.)
 */
export class ScrollAnchor extends Component<StaysPutProps> {
  override getSnapshotBeforeUpdate(before: StaysPutProps): number | null {
    const { which, when, of } = this.props;
    const box = before.of === of && before.when !== when ? boxOf(which) : undefined;
    // Where it cannot be seen it need not stay.
    return box && box.height > 0 && box.top < window.innerHeight && box.bottom > 0 ? box.top : null;
  }

  override componentDidUpdate(_before: StaysPutProps, _state: unknown, was: number | null) {
    if (was === null) return;
    const putBack = () => {
      const is = boxOf(this.props.which)?.top ?? was;
      if (is !== was) window.scrollBy({ top: is - was, behavior: "instant" });
    };
    putBack();
    // What came in takes its size in a moment: what is long gets a button of its own.
    const grows = new ResizeObserver(putBack);
    grows.observe(document.body);
    setTimeout(() => grows.disconnect(), settledMs);
  }

  override render() {
    return null;
  }
}

const boxOf = (which: string) => document.querySelector(which)?.getBoundingClientRect();
