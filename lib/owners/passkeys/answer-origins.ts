import { env } from "@/lib/config/env";

/** Returns the origins of pages at which an owner's passkey may sign an answer. */
export const answerOrigins = (): string[] => [env().publicUrl];
