import { randomBytes } from "node:crypto";

const process = randomBytes(8).toString("hex");
let count = 0;

/**
 * A request ID, unique across instances, that callers can quote and operators can find in the log.
 */
export const newRequestId = () => `req_${process}${(++count).toString(36)}`;
