"use client";
import { PureComponent } from "react";

/**
 * Keeps the scroll position through a refresh. If the address was changed by `history`, Next
 * treats the refresh as another page and scrolls to its top. Renders nothing. (A class, because
 * only `getSnapshotBeforeUpdate` runs before the page and its address change.)
 */
export class PreserveScroll extends PureComponent<{
  /** A new value for each refresh. */
  read: unknown;
}> {
  override getSnapshotBeforeUpdate(): string {
    return window.location.href;
  }

  override componentDidUpdate(_before: unknown, _state: unknown, address: string) {
    const top = window.scrollY;
    if (top === 0 || window.location.href !== address) return;
    // After Next's scroll, before painting.
    queueMicrotask(() => window.scrollY === 0 && window.scrollTo({ top, behavior: "instant" }));
  }

  override render() {
    return null;
  }
}
