import { headers } from "next/headers";
import { cache } from "react";
import { formatsOf, localeOf } from "@/lib/text/locale";

/** The locale for dates and numbers on the page being rendered. */
export const readLocale = cache(async () => localeOf((await headers()).get("accept-language")));

/** Their formats. */
export const readFormats = async () => formatsOf(await readLocale());
