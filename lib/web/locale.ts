import { headers } from "next/headers";
import { formatsOf } from "@/lib/text/locale";

/** The reader's formats, on the page being rendered. */
export const readFormats = async () => formatsOf((await headers()).get("accept-language"));
