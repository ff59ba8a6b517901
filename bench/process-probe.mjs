// Reports on this process to the benchmark. Preloaded into a server. Each command and each reply is
// one line: `delay` returns the event loop's delay since the last query, and `profile` returns the
// CPU profile since the last `start`.
import { Session } from "node:inspector";
import net from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const { BENCH_PROBES } = process.env;
if (isMainThread && BENCH_PROBES) {
  // The histogram records the time between two ticks, not the second tick's delay.
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const inspector = new Session();
  inspector.connect();
  const socket = net.connect(BENCH_PROBES, () => socket.write(`${process.pid}\n`)).unref();
  const reply = (value) => socket.write(`${JSON.stringify(value)}\n`);
  const commands = {
    delay: () => {
      reply(Math.max(0, delay.percentile(99) / 1e6 - resolution));
      delay.reset();
    },
    start: () => {
      inspector.post("Profiler.enable");
      inspector.post("Profiler.setSamplingInterval", { interval: 250 });
      inspector.post("Profiler.start", () => reply(null));
    },
    profile: () => inspector.post("Profiler.stop", (_, { profile }) => reply(profile)),
  };
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", (text) => commands[text.trim()]());
}
