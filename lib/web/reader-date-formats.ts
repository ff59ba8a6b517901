import { headers } from "next/headers";
import { formatsOf } from "@/lib/text/accept-language-date-formats";

/** The reader's formats for the page being rendered. */
export const readFormats = async () => formatsOf((await headers()).get("accept-language"));
