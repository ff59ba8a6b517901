import type { LaunchOptions } from "@playwright/test";
import { findChromium } from "@/lib/testing/chromium";

/**
 * How to start the browser that tests run in.
 * @param whole not a headless shell, which shows no notifications and has no figures
 */
export function launching(whole = false): LaunchOptions {
  const executablePath = findChromium(whole);
  return {
    ...(executablePath && { executablePath }),
    args: [
      // A name for this computer that is not its own, as phones see it.
      "--host-resolver-rules=MAP countersign.test 127.0.0.1",
      // Chromium's own sandbox refuses root, which containers usually are.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      // Pages in tests live for seconds, so optimizing their scripts costs more than it saves.
      ...(whole ? [] : ["--js-flags=--no-opt"]),
    ],
  };
}
