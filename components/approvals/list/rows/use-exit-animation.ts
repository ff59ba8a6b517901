"use client";
import { useEffect, useRef } from "react";
import { prefersReducedMotion } from "@/components/triage/reduced-motion";

const leaveMs = 180;

/**
 * Animates the height of rows (`.row`) that leave the list, so that the owner sees the other rows
 * move.
 */
export function useExitAnimation(): React.RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new MutationObserver((changes) => {
      if (prefersReducedMotion()) return;
      for (const { removedNodes, target, previousSibling } of changes)
        for (const node of removedNodes)
          if (node instanceof HTMLElement && node.matches(".row") && !node.isConnected)
            closeUp(node, target as Element, previousSibling);
    });
    if (list.current) observer.observe(list.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return list;
}

/**
 * Shows a copy in the row's place while the copy shrinks. React has already removed the original.
 */
function closeUp(row: HTMLElement, parent: Element, before: Node | null): void {
  const copy = row.cloneNode(true) as HTMLElement;
  copy.classList.remove("row");
  copy.inert = true;
  copy.setAttribute("aria-hidden", "true");
  copy.style.overflow = "clip";
  for (const it of copy.querySelectorAll("[data-row]")) it.removeAttribute("data-row");
  if (before?.parentNode === parent) parent.insertBefore(copy, before.nextSibling);
  else parent.prepend(copy);
  const height = `${copy.offsetHeight}px`;
  const frames = { height: [height, "0px"], opacity: [1, 0] };
  copy.animate(frames, { duration: leaveMs, easing: "ease-out" }).onfinish = () => copy.remove();
}
