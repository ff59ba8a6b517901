/*
 * Reads QR codes with the browser's own detector. Many browsers have none, so the decoder of the
 * package `qr` has the same interface and takes its place.
 */

type Detector = { detect(image: ImageBitmapSource): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
};

let found: Promise<Detector> | undefined;

async function findDetector(): Promise<Detector> {
  const own = (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const works = await own?.getSupportedFormats().then(
    (formats) => formats.includes("qr_code"),
    () => false,
  );
  if (own && works) return new own({ formats: ["qr_code"] });
  const scripted = await import("qr/decode.js");
  return new (scripted.BarcodeDetector as unknown as DetectorClass)({ formats: ["qr_code"] });
}

/** Returns the text of the QR code in a picture, or undefined if it shows none. */
export async function textOfQrCode(image: ImageBitmapSource): Promise<string | undefined> {
  const detector = await (found ??= findDetector());
  const [code] = await detector.detect(image).catch(() => []);
  return code?.rawValue || undefined;
}

/** Thrown if there is no usable camera. The message is a sentence for the owner. */
export class NoCamera extends Error {}

/** Whether this page can ask for a camera. Browsers offer it only on secure pages. */
export const hasCamera = (): boolean => typeof navigator.mediaDevices?.getUserMedia === "function";

/**
 * Shows the rear camera in a video element until it reads a QR code.
 * @param stop ends the search
 * @returns the code's text; undefined if the search was ended
 * @throws {NoCamera} if there is no camera, or the owner does not allow it
 */
export async function scanQrCode(video: HTMLVideoElement, stop: AbortSignal): Promise<string | undefined> {
  const stream = await openCamera();
  try {
    video.srcObject = stream;
    await video.play();
    for (;;) {
      if (stop.aborted) return undefined;
      const text = video.videoWidth > 0 ? await textOfQrCode(video) : undefined;
      if (text !== undefined) return text;
      // Leaves time for the page between two pictures.
      await new Promise(requestAnimationFrame);
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}

async function openCamera(): Promise<MediaStream> {
  if (!hasCamera())
    throw new NoCamera("This browser offers no camera to this page. Choose a picture, or paste the text.");
  try {
    const size = { width: { ideal: 1920 }, height: { ideal: 1080 } };
    return await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", ...size } });
  } catch {
    throw new NoCamera(
      "Couldn’t open the camera. Allow the camera for this page, choose a picture, or paste the text.",
    );
  }
}

/**
 * Returns the text of a file: the text of the QR code in a picture, or the content of any other
 * file.
 * @throws {Error} with a sentence for the owner, if a picture has no readable code or the file is
 * too large
 */
export async function textOfFile(file: File): Promise<string> {
  if (file.size > 20_000_000) throw new Error("This file is larger than 20 MB. Choose another file.");
  if (!file.type.startsWith("image/")) return file.text();
  const picture = await createImageBitmap(file).catch(() => undefined);
  const text = picture && (await textOfQrCode(picture));
  if (text === undefined)
    throw new Error("This picture has no readable QR code. Take a sharper picture, or paste the text.");
  return text;
}
