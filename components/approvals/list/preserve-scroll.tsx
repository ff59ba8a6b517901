"use client";
import { PureComponent } from "react";

/**
 * Preserves the scroll position through a refresh. After the URL changes through `history`, Next.js
 * treats the refresh as a new page and scrolls to the top. This is a class because only
 * `getSnapshotBeforeUpdate` runs before the page changes.
 */
export class PreserveScroll extends PureComponent<{
  /** A value that changes with each refresh. */
  read: unknown;
}> {
  override getSnapshotBeforeUpdate(): string {
    return window.location.href;
  }

  override componentDidUpdate(_before: unknown, _state: unknown, address: string) {
    const top = window.scrollY;
    if (top === 0 || window.location.href !== address) return;
    // Runs after Next.js has scrolled and before the browser paints.
    queueMicrotask(() => window.scrollY === 0 && window.scrollTo({ top, behavior: "instant" }));
  }

  override render() {
    return null;
  }
}
