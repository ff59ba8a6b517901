"use client";
import { useEffect } from "react";
import { shownCount } from "./waiting";

/** Show how many wait outside the page: in its title, on its icon, and on the installed app's. */
export function useBadges(count: number): void {
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(/^\(\d+\+?\) /, "");
      const title = count > 0 ? `(${shownCount(count)}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
      const href = `/favicon/${count > 9 ? "9-more" : count}.svg`;
      const icon = document.querySelector('link[rel="icon"]');
      if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
    };
    show();
    // Going to another page writes both anew.
    const observer = new MutationObserver(show);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true, attributeFilter: ["href"] });
    return () => observer.disconnect();
  }, [count]);

  useEffect(() => {
    const told = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    // Not installed, or not allowed to.
    told?.catch(() => {});
  }, [count]);
}
