"use client";
import { createContext, useContext, useState } from "react";
import { defaultFormats, type Formats } from "@/lib/text/dates";

const Given = createContext(defaultFormats);

/** Provides the time formats to the children, on the server and in the browser. */
export function FormatsProvider({ formats, children }: { formats: Formats; children: React.ReactNode }) {
  const [kept] = useState(formats);
  return <Given value={kept}>{children}</Given>;
}

/** Returns the reader's time formats. */
export const useFormats = (): Formats => useContext(Given);
