import { TextEncoderStream as Encoder, ReadableStream as Stream } from "node:stream/web";

/**
 * Returns a stream of text for a response's body. Pieces are created on demand, so that a slow
 * reader does not fill the memory.
 */
export const toReadableStream = (pieces: AsyncGenerator<string>) =>
  Stream.from(pieces).pipeThrough(new Encoder()) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
