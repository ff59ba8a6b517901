"use client";
import { PureComponent } from "react";

/**
 * The page stays where it is scrolled to when it is read again. Where its address was changed beside it, Next takes what it
 * reads for another page and goes to its top. It shows nothing itself. (A class, since nothing else is asked before the page,
 * and with it its address, is changed.)
 */
export class PreserveScroll extends PureComponent<{
  /** Another value whenever the page was read again. */
  read: unknown;
}> {
  override getSnapshotBeforeUpdate(): string {
    return window.location.href;
  }

  override componentDidUpdate(_before: unknown, _state: unknown, address: string) {
    const top = window.scrollY;
    if (top === 0 || window.location.href !== address) return;
    // After Next, and before anything is painted.
    queueMicrotask(() => window.scrollY === 0 && window.scrollTo({ top, behavior: "instant" }));
  }

  override render() {
    return null;
  }
}
