import net from "node:net";

export type Result = { perSecond: number; p50: number; p95: number; p99: number; errors: number; requests: number };

/** The bytes of the next request, or undefined if there are no more. */
export type Next = () => Buffer | undefined;

/**
 * Keeps `connections` requests running over keep-alive sockets for a number of milliseconds.
 * Sockets and prepared bytes replace an HTTP client, so that the load generator uses little CPU.
 * @returns requests per second, latencies in milliseconds, and the number of non-2xx responses
 */
export async function load(port: number, connections: number, milliseconds: number, next: Next): Promise<Result> {
  const latencies: number[] = [];
  let errors = 0;
  const began = performance.now();
  const until = began + milliseconds;
  await Promise.all(
    Array.from({ length: connections }, () =>
      connection(port, until, next, (took, status) => {
        latencies.push(took);
        if (status < 200 || status > 299) errors++;
      }),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const { length: requests } = latencies;
  return { perSecond: requests / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99), errors, requests };
}

/**
 * One keep-alive connection that sends the next request after each response. It reuses one buffer,
 * so a response allocates nothing.
 */
function connection(port: number, until: number, next: Next, done: (took: number, status: number) => void) {
  return new Promise<void>((resolve, reject) => {
    let started = 0;
    let status = 0;
    /** The remaining bytes of the response. It is negative until the headers are complete. */
    let missing = -1;
    let head = "";
    const read = (size: number, buffer: Uint8Array) => {
      if (missing < 0) {
        const from = head.length;
        head += Buffer.from(buffer.buffer, buffer.byteOffset, Math.min(size, maxHeadBytes)).toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return true;
        status = Number(head.slice(9, 12));
        const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
        if (length === undefined) reject(new Error(`A reply of unknown length: ${head}`));
        missing = Number(length) - (from + size - end - 4);
      } else missing -= size;
      if (missing <= 0) {
        done(performance.now() - started, status);
        ask();
      }
      return true;
    };
    const socket = net.connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: { buffer: Buffer.alloc(64 * 1024), callback: read },
    });
    const ask = () => {
      const request = performance.now() < until ? next() : undefined;
      if (!request) {
        socket.end();
        return resolve();
      }
      started = performance.now();
      missing = -1;
      head = "";
      socket.write(request);
    };
    socket.on("connect", ask);
    socket.on("error", reject);
  });
}

/** No benchmarked server sends longer headers. */
const maxHeadBytes = 2048;

/** A request's bytes. */
export function request(method: string, path: string, token: string, body?: unknown): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body);
  const typed =
    body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n${typed}\r\n${text}`,
  );
}
