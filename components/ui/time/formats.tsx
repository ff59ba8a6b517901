"use client";
import { createContext, useContext, useState } from "react";
import { british, type Formats } from "@/lib/text/formats";

const Given = createContext(british);

/** Has dates and numbers within written so, by the server as by the browser, for as long as the page stays. */
export function WrittenIn({ formats, children }: { formats: Formats; children: React.ReactNode }) {
  const [kept] = useState(formats);
  return <Given value={kept}>{children}</Given>;
}

/** How the reader of this page writes dates and numbers. */
export const useFormats = (): Formats => useContext(Given);
