"use client";
import { type ComponentType, lazy, Suspense } from "react";

/**
 * A component that is fetched when it is first shown, with nothing in its place meanwhile. For what opens by scripts alone:
 * without them what waits for its code would not show. `next/dynamic` does more, and is heavier.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(async () => ({ default: await load() }));
  return (props: Props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
