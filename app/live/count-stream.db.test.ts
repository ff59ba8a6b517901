import { expect, test, vi } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { createSession, endSession } from "@/lib/owners/sessions";
import { anAppWith } from "@/lib/testing/factories";
import { CountStream } from "./count-stream";

async function aStream() {
  const { owner, app } = await anAppWith("approvals:write");
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  const { id: session } = await createSession(entrance, { method: "password", userAgent: "", address: "" });
  const sent: string[] = [];
  let closed = false;
  const news = new CountStream({ ...owner, session }, "", {
    send: (text) => void sent.push(text.replace(/^id: .*\n/, "").trim()),
    close: () => {
      closed = true;
    },
  });
  const ask = () => submitApproval(app, { question: "Ship it?", options: [{ id: "y", label: "Yes" }] });
  return { owner: { ...owner, session }, news, sent, isClosed: () => closed, ask };
}
const counts = (pending: number) => `event: news\ndata: {"pending":${pending},"unseen":0}`;

test("sends the counts again only after a change", async () => {
  const { news, sent, ask } = await aStream();
  await news.read();
  await news.read();
  expect(sent).toEqual([counts(0)]);
  await ask();
  await news.read();
  expect(sent).toEqual([counts(0), counts(1)]);
});

test("sends a heartbeat instead of unchanged counts", async () => {
  const { news, sent } = await aStream();
  await news.read();
  await news.read(true);
  expect(sent).toEqual([counts(0), "event: beat\ndata:"]);
});

test("sends one update for several changes in quick succession", async () => {
  const { news, sent } = await aStream();
  await news.read();
  news.onChange(false);
  news.onChange(false);
  await expect.poll(() => sent).toEqual([counts(0), counts(0)]);
  await news.read();
  expect(sent).toEqual([counts(0), counts(0)]);
});

test("sends another update for a change during a read", async () => {
  const { news, sent } = await aStream();
  await news.read();
  const first = news.read(true);
  news.onChange(false);
  const second = news.read();
  await first;
  await second;
  // On a slow machine, the second read can begin later, and send another beat.
  expect(sent.slice(0, 3)).toEqual([counts(0), "event: beat\ndata:", counts(0)]);
});

test("reads a change only after a delay, so that waiting apps receive it first", async () => {
  const { news, sent } = await aStream();
  await news.read();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  news.onChange(false);
  expect(vi.getTimerCount()).toBe(1);
  news.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  await news.read();
  expect(sent).toEqual([counts(0), counts(0)]);
});

test("closes the stream when the session ends", async () => {
  const { owner, news, sent, isClosed } = await aStream();
  await news.read();
  await endSession(owner, owner.session);
  await news.read();
  expect([sent.at(-1), isClosed()]).toEqual(["event: news\ndata: {}", true]);
});
