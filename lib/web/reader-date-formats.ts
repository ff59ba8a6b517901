import { headers } from "next/headers";
import { formatsOf } from "@/lib/text/accept-language-date-formats";

/** Returns the date formats for the reader of the page being rendered. */
export const readFormats = async () => formatsOf((await headers()).get("accept-language"));
