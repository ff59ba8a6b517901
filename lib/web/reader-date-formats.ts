import { headers } from "next/headers";
import { formatsOf } from "@/lib/text/region-date-formats";

/** The reader's formats for the page being rendered. */
export const readFormats = async () => formatsOf((await headers()).get("accept-language"));
