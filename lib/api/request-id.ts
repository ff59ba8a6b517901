import { randomBytes } from "node:crypto";

const process = randomBytes(8).toString("hex");
let count = 0;

/**
 * Returns a request ID that is unique across instances. Callers can quote it, and operators can
 * find it in the log.
 */
export const newRequestId = () => `req_${process}${(++count).toString(36)}`;
