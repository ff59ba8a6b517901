import { TextEncoderStream as Encoder, ReadableStream as Stream } from "node:stream/web";

/**
 * Streams text as the body of a response. Pieces are read on demand, so a slow reader does not fill
 * the memory.
 */
export const toReadableStream = (pieces: AsyncGenerator<string>) =>
  Stream.from(pieces).pipeThrough(new Encoder()) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
