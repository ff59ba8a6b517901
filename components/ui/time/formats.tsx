"use client";
import { createContext, useContext, useState } from "react";
import { british, type Formats } from "@/lib/text/formats";

const Given = createContext(british);

/** Sets the date and number formats for its children, on the server and in the browser. */
export function WrittenIn({ formats, children }: { formats: Formats; children: React.ReactNode }) {
  const [kept] = useState(formats);
  return <Given value={kept}>{children}</Given>;
}

/** The reader's date and number formats. */
export const useFormats = (): Formats => useContext(Given);
