import { randomBytes } from "node:crypto";
import { processSingleton } from "@/lib/work/process-singleton";

const tag = processSingleton("instance tag", () => ({ text: randomBytes(4).toString("hex") }));

/**
 * Returns this process's random tag. It is in the process's row of `instance_placement` and, with
 * several shards, in the name of its database connections. So an operator or a move of homes can
 * see whether a silent process is still connected.
 */
export const instanceTag = (): string => tag().text;
