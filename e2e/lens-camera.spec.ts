import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import encode from "qr";
import { requestLink } from "@/lib/lens/request-link";
import { lensPath } from "@/lib/testing/build-lens";
import { payment, requestText, sampleRequest } from "@/lib/testing/sample-signing-request";
import { expect, test } from "./fixtures";
import { launching } from "./launch-options";

const video = join(tmpdir(), `countersign-camera-${process.pid}.y4m`);

// Chromium's camera shows the video, and needs no permission.
test.use({
  launchOptions: {
    ...launching(),
    args: [
      ...(launching().args ?? []),
      ...["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
      `--use-file-for-fake-video-capture=${video}`,
    ],
  },
});
test.beforeAll(() => {
  const { fields: _, backgroundContext: __, ...content } = payment;
  const request = requestText(sampleRequest({ content, answer: { option: "later" } }));
  writeFileSync(video, cameraVideo(requestLink("https://lens.example.org/", request)));
});
test.afterAll(() => rmSync(video));

/** Returns an uncompressed video (YUV4MPEG2) with a QR code of a text. */
function cameraVideo(text: string): Buffer {
  const rows = encode(text, "raw", { ecc: "low", border: 4, scale: 6 });
  const [width, height] = [1280, 1088];
  const luma = Buffer.alloc(width * height, 235);
  const [left, top] = [Math.floor((width - rows.length) / 2), Math.floor((height - rows.length) / 2)];
  for (const [y, row] of rows.entries())
    for (const [x, dark] of row.entries()) if (dark) luma[(top + y) * width + left + x] = 16;
  const frame = Buffer.concat([Buffer.from("FRAME\n"), luma, Buffer.alloc((width * height) / 2, 128)]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F5:1 Ip A1:1 C420\n`), frame, frame]);
}

test("reads a request with the camera", { tag: "@more" }, async ({ page }) => {
  await page.goto(`file://${resolve(lensPath)}`);
  await page.getByRole("button", { name: "Scan the QR code" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your signature would say");
  await expect(page.locator(".chosen")).toHaveText("Ask me again on Monday");
});

test("stops the camera", { tag: "@more" }, async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "BarcodeDetector", {
      value: class {
        static getSupportedFormats = async () => ["qr_code"];
        detect = async () => [];
      },
    });
  });
  await page.goto(`file://${resolve(lensPath)}`);
  await page.getByRole("button", { name: "Scan the QR code" }).click();
  const live = () =>
    page.evaluate(() => (document.querySelector("video")?.srcObject as MediaStream | null)?.active ?? false);
  await expect.poll(live).toBe(true);
  await page.getByRole("button", { name: "Stop the camera" }).click();
  await expect(page.getByRole("button", { name: "Scan the QR code" })).toBeVisible();
  expect(await live()).toBe(false);
});
