"use client";
import { PureComponent } from "react";

/**
 * Preserves the scroll position through a refresh. After `history` changes the URL, Next.js treats
 * the refresh as a new page and scrolls to the top. A class, because only `getSnapshotBeforeUpdate`
 * runs before the page changes.
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
    // Runs after Next.js has scrolled, before painting.
    queueMicrotask(() => window.scrollY === 0 && window.scrollTo({ top, behavior: "instant" }));
  }

  override render() {
    return null;
  }
}
