"use client";
import { useEffect, useRef } from "react";
import { readFromTab, saveToTab } from "@/components/actions/tab-storage";

const key = "countersign.email";

/**
 * Carries the email that was typed on one sign-in page to the next page, once. The email isn't put
 * into the URL, because logs contain URLs.
 */
export function CarriedEmail() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const main = place.current?.closest("main");
    const email = main?.querySelector<HTMLInputElement>("input[name=email]");
    if (!main || !email) return;
    const carried = readFromTab<string>(key);
    saveToTab(key, undefined);
    if (carried && email.value === "") email.value = carried;
    const keep = ({ target }: MouseEvent) => {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href^='/sign-in']");
      if (link && email.value) saveToTab(key, email.value);
    };
    // Must run before the link's own handler, which opens the next page.
    main.addEventListener("click", keep, { capture: true });
    return () => main.removeEventListener("click", keep, { capture: true });
  }, []);
  return <span ref={place} hidden />;
}
