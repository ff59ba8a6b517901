// Reports the event loop's delay since the last query. Preloaded into a server by the benchmark.
import net from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const { BENCH_LOOPS } = process.env;
if (isMainThread && BENCH_LOOPS) {
  // The histogram records the time between two ticks, not the second tick's delay.
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
