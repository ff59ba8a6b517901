import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { retryPageFetch } from "./retry-page-fetch";

const location = { href: "https://ours.example/approvals", pathname: "/approvals" };
const refresh = { headers: { rsc: "1" } };
const whole = '0:{"page":"content"}\n';
const send = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal("window", { fetch: send, location });
  // The health check.
  vi.stubGlobal("fetch", async () => new Response("{}"));
  retryPageFetch();
});
afterEach(() => {
  send.mockReset();
  vi.unstubAllGlobals();
});

/** A response whose connection breaks after its first part. */
const broken = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(whole)),
      pull: (controller) => controller.error(new TypeError("network error")),
    }),
  );

test.each([
  ["could not begin", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["broke off", async () => broken()],
  ["has an error of the server", async () => new Response(`${whole}1:E{"digest":"12345"}\n`)],
  ["has the status 503", async () => new Response("", { status: 503 })],
])("fetches a page again whose response %s", async (_, fail) => {
  send.mockImplementationOnce(fail).mockImplementationOnce(async () => new Response(whole));
  const response = await window.fetch("/approvals?_rsc=1", refresh);
  expect([response.status, await response.text()]).toEqual([200, whole]);
  expect(send).toHaveBeenCalledTimes(2);
});

/** A row with a long text, as React writes it. */
const longText = (text: string) => `2:T${Buffer.byteLength(text).toString(16)},${text}`;

test("ignores an app's text that looks like an error", async () => {
  const text = `${longText('é\n1:E{"digest":"12345"}\n')}${whole}`;
  send.mockImplementation(async () => new Response(text));
  expect(await (await window.fetch("/approvals?_rsc=1", refresh)).text()).toBe(text);
  expect(send).toHaveBeenCalledTimes(1);
});

test("finds an error after an app's text", async () => {
  const failed = `:HL["/a.css"]\n${longText("é €\n:x")}1:E{"digest":"12345"}\n`;
  send.mockImplementationOnce(async () => new Response(failed)).mockImplementationOnce(async () => new Response(whole));
  expect(await (await window.fetch("/approvals?_rsc=1", refresh)).text()).toBe(whole);
});

test("keeps the redirects and the URL of a response", async () => {
  const text = '1:E{"digest":"NEXT_REDIRECT;replace;/sign-in;307;"}\n';
  const response = new Response(text, { headers: { "content-type": "text/x-component" } });
  Object.defineProperty(response, "url", { value: "https://ours.example/sign-in" });
  Object.defineProperty(response, "redirected", { value: true });
  send.mockResolvedValueOnce(response);
  const received = await window.fetch("/approvals?_rsc=1", refresh);
  expect(received).toMatchObject({ url: "https://ours.example/sign-in", redirected: true });
  expect([received.headers.get("content-type"), await received.text()]).toEqual(["text/x-component", text]);
});

test("leaves other requests to the browser", async () => {
  send.mockImplementation(async () => new Response("", { status: 503 }));
  expect((await window.fetch("/acts/approval.mute")).status).toBe(503);
  expect((await window.fetch("/notifications?_rsc=1", refresh)).status).toBe(503);
  expect(send).toHaveBeenCalledTimes(2);
});
