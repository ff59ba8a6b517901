import { headers } from "next/headers";
import { cache } from "react";
import { formatsOf, localeOf } from "@/lib/text/locale";

/** Whose habits dates and numbers follow on the page that is being made. */
export const readLocale = cache(async () => localeOf((await headers()).get("accept-language")));

/** How to write them. */
export const readFormats = async () => formatsOf(await readLocale());
