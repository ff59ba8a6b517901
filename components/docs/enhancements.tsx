"use client";
import { useEffect, useState } from "react";

const remembered = "docs-language";

/** In every choice of languages this one, where it has it. */
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

/** All that the documentation's pages do in a browser: copy, choose a language, open the search by a key. */
export function DocsEnhancements() {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const left = new AbortController();
    const on = <K extends keyof DocumentEventMap>(type: K, then: (event: DocumentEventMap[K]) => void) =>
      document.addEventListener(type, then, left);
    const inside = (event: Event, what: string) =>
      event.target instanceof Element ? event.target.closest<HTMLElement>(what) : null;
    /** Where the tab stands on the screen it stays, though others above it change their heights. */
    const take = (tab: HTMLElement) => {
      const { top } = tab.getBoundingClientRect();
      choose(tab.dataset.language);
      window.scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" });
      try {
        localStorage.setItem(remembered, tab.dataset.language ?? "");
      } catch {
        // Not remembered, then.
      }
    };
    try {
      choose(localStorage.getItem(remembered) ?? undefined);
    } catch {
      // Nothing is kept here.
    }
    const list = document.getElementById("docs-pages");
    const here = list?.querySelector<HTMLElement>("[aria-current]");
    /** Not by scrollIntoView, which moves the page as well. */
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
      const say = (words: string, label = words) => {
        setSaid(words);
        button.textContent = label;
        setTimeout(() => {
          setSaid("");
          button.textContent = "Copy";
        }, 2000);
      };
      navigator.clipboard.writeText(text).then(
        () => say("Copied"),
        () => say("Select and copy by hand", "Not copied"),
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
      {said}
    </p>
  );
}
