import { TextEncoderStream as Encoder, ReadableStream as Stream } from "node:stream/web";

/** Text as the body of a response. Pieces are read on demand, so a slow reader fills no memory. */
export const toReadableStream = (pieces: AsyncGenerator<string>) =>
  Stream.from(pieces).pipeThrough(new Encoder()) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
