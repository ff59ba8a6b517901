/**
 * Returns an answer or resolution without its signature, for the owner's pages and for models. The
 * signatures of a batch all carry the whole statement, so a list of them would be large.
 */
export function withoutSignature<T extends { signature?: unknown }>(answer: T): Omit<T, "signature"> {
  const { signature: _, ...rest } = answer;
  return rest;
}
