// Loaded into a server before its own code: tells the benchmark how late the event loop was since it was last asked.
import net from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const { BENCH_LOOPS } = process.env;
if (isMainThread && BENCH_LOOPS) {
  // What is recorded is the time between two looks, not how late the second was.
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const socket = net.connect(BENCH_LOOPS, () => socket.write(String(process.pid))).unref();
  socket.on("error", () => {});
  socket.on("data", () => {
    socket.write(String(Math.max(0, delay.percentile(99) / 1e6 - resolution)));
    delay.reset();
  });
}
