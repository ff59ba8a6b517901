"use client";
import { useEffect, useState } from "react";

const remembered = "docs-language";

/** Selects this language in all tab groups that include it. */
function choose(language: string | undefined) {
  for (const tab of document.querySelectorAll<HTMLElement>(`[data-language="${language}"]`)) {
    const block = tab.closest("[data-choice]");
    for (const other of block?.querySelectorAll<HTMLElement>("[role=tab]") ?? []) {
      const isOn = other === tab;
      other.ariaSelected = String(isOn);
      other.tabIndex = isOn ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls") ?? "")?.toggleAttribute("data-off", !isOn);
    }
  }
}

/**
 * Client-side behavior of the documentation: copy buttons, language tabs and the search shortcut.
 */
export function DocsEnhancements() {
  const [message, setMessage] = useState("");
  useEffect(() => {
    const left = new AbortController();
    const on = <K extends keyof DocumentEventMap>(type: K, then: (event: DocumentEventMap[K]) => void) =>
      document.addEventListener(type, then, left);
    const inside = (event: Event, what: string) =>
      event.target instanceof Element ? event.target.closest<HTMLElement>(what) : null;
    /** Scrolls so that the clicked tab stays in place while tab groups above it change height. */
    const take = (tab: HTMLElement) => {
      const { top } = tab.getBoundingClientRect();
      choose(tab.dataset.language);
      window.scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" });
      try {
        localStorage.setItem(remembered, tab.dataset.language ?? "");
      } catch {
        // Storage is unavailable, so the choice lasts only for this page.
      }
    };
    try {
      choose(localStorage.getItem(remembered) ?? undefined);
    } catch {
      // Ignored, because storage is unavailable.
    }
    const list = document.getElementById("docs-pages");
    const here = list?.querySelector<HTMLElement>("[aria-current]");
    /** Scrolls the list to the current page. `scrollIntoView` would also scroll the document. */
    const showHere = () => {
      if (list && here) list.scrollTop = here.offsetTop - list.clientHeight / 3;
    };
    showHere();
    list?.addEventListener("toggle", showHere, left);
    on("click", (event) => {
      if (inside(event, "#docs-pages a")) list?.hidePopover();
      const tab = inside(event, "[role=tab]");
      if (tab) take(tab);
      const button = inside(event, "[data-copy]");
      const text = button
        ?.closest(".block")
        ?.querySelector(":scope > pre, :scope > :not([data-off]) > pre")?.textContent;
      if (!button || !text) return;
      const showMessage = (words: string, label = words) => {
        setMessage(words);
        button.textContent = label;
        setTimeout(() => {
          setMessage("");
          button.textContent = "Copy";
        }, 2000);
      };
      navigator.clipboard.writeText(text).then(
        () => showMessage("Copied"),
        () => showMessage("Couldn’t copy. Select the text instead.", "Couldn’t copy"),
      );
    });
    on("keydown", (event) => {
      const { key, ctrlKey, metaKey } = event;
      const tab = inside(event, "[role=tab]");
      const tabs = [...(tab?.parentElement?.children ?? [])] as HTMLElement[];
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      const to =
        tab && step
          ? tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]
          : tab && { Home: tabs[0], End: tabs.at(-1) }[key];
      const search = document.querySelector<HTMLInputElement>("#docs-search");
      const opens = (key === "k" && (ctrlKey || metaKey)) || (key === "/" && !inside(event, "input, textarea"));
      if (!to && !opens) return;
      event.preventDefault();
      if (to) take(to);
      (to ?? search)?.focus();
    });
    return () => left.abort();
  }, []);
  return (
    <p role="status" className="sr-only">
      {message}
    </p>
  );
}
