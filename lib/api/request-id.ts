import { randomBytes } from "node:crypto";

const process = randomBytes(8).toString("hex");
let count = 0;

/** A name for one request, unique across copies, that the caller can quote and the log can be searched for. */
export const newRequestId = () => `req_${process}${(++count).toString(36)}`;
