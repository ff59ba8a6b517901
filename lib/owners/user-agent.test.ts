import { expect, it } from "vitest";
import { describeDevice, isPhone } from "./user-agent";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/146.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/146.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/146.0.0.0 Safari/537.36 Edg/146.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Linux; Android 16; Pixel 9) ${webkit} Chrome/146.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Mac"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "An unknown program"],
  ["", "An unknown program"],
  ["<script>alert(1)</script> Linux", "A program on Linux"],
])("describes the user agent %s as %s", (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
  expect(isPhone(device)).toBe(/Android|iPhone/.test(userAgent));
});
