import type { LaunchOptions } from "@playwright/test";
import { findChromium } from "@/lib/testing/chromium";

/**
 * Options that start the tests' browser.
 * @param whole a full browser instead of a headless shell, which shows no notifications
 */
export function launching(whole = false): LaunchOptions {
  const executablePath = findChromium(whole);
  return {
    ...(executablePath && { executablePath }),
    args: [
      // A host name for this computer that is not localhost, as phones see it.
      "--host-resolver-rules=MAP countersign.test 127.0.0.1",
      // Chromium's sandbox refuses to run as root, which containers usually do.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      // Test pages live for seconds, so optimizing their scripts costs more than it saves.
      ...(whole ? [] : ["--js-flags=--no-opt"]),
    ],
  };
}
