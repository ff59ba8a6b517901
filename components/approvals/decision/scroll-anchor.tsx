"use client";
import { Component } from "react";

/** How long the position is restored while inserted content grows, in milliseconds. */
const settledMs = 300;

type StaysPutProps = {
  /** Selector of the element that keeps its position. */
  which: string;
  /** When this value changes for the same `of`, the position is restored. */
  when: number;
  of: string;
};

/**
 * Scrolls the page so that an element stays in place when content is inserted above it. A class,
 * because only `getSnapshotBeforeUpdate` runs before the change.
 */
export class ScrollAnchor extends Component<StaysPutProps> {
  override getSnapshotBeforeUpdate(before: StaysPutProps): number | null {
    const { which, when, of } = this.props;
    const box = before.of === of && before.when !== when ? boxOf(which) : undefined;
    // An invisible element needs no fixed place.
    return box && box.height > 0 && box.top < window.innerHeight && box.bottom > 0 ? box.top : null;
  }

  override componentDidUpdate(_before: StaysPutProps, _state: unknown, was: number | null) {
    if (was === null) return;
    const putBack = () => {
      const is = boxOf(this.props.which)?.top ?? was;
      if (is !== was) window.scrollBy({ top: is - was, behavior: "instant" });
    };
    putBack();
    // Inserted content reaches its final size a moment later, when a long text gets its expand
    // button.
    const grows = new ResizeObserver(putBack);
    grows.observe(document.body);
    setTimeout(() => grows.disconnect(), settledMs);
  }

  override render() {
    return null;
  }
}

const boxOf = (which: string) => document.querySelector(which)?.getBoundingClientRect();
