import { expect, test } from "vitest";
import { CountStream } from "@/app/live/count-stream";
import { covers } from "@/components/live/compare-page-versions";
import { waitingCount } from "@/lib/approvals/inbox-queries";
import { pool } from "@/lib/database/db";
import { pageVersion, readLiveCounts } from "@/lib/live-counts/live-counts";
import { readFeed } from "@/lib/notifications/feed";
import { pushNotification } from "@/lib/notifications/notifications";
import { createSession, sessionOwner } from "@/lib/owners/sessions";
import { anAppWith } from "@/lib/testing/factories";
import { explore, lanes, runSeeds, scenario } from "./explore";
import { step } from "./scheduler";

/* What an app pushes is on the owner's page, or the page's stream makes the page read again. */

/** Creates an owner who is signed in, with an app. */
async function aParty() {
  const { owner, app } = await anAppWith("notifications:write");
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  const { id: session } = await createSession(entrance, { method: "password", userAgent: "", address: "127.0.0.1" });
  return { ownerId: owner.ownerId, session, push: (title: string) => pushNotification(app, { title }) };
}
type Party = Awaited<ReturnType<typeof aParty>>;
const parties = await Promise.all(Array.from({ length: lanes }, aParty));

/** A page: its rows, and the version with which its stream begins. */
type Page = { ids: string[]; version: string };

/** Reads a page as the layout and the list do: first the version, then the rows. */
async function readPage({ ownerId, session }: Party): Promise<Page> {
  const admitted = (await sessionOwner(ownerId, 1, session, waitingCount(ownerId)))!;
  const { notifications } = await readFeed(admitted);
  await step("rows read");
  const { unseen } = await readLiveCounts({ ...admitted });
  return { ids: notifications.map(({ id }) => id), version: pageVersion({ ...admitted, unseen }) };
}

/** Reads a page as it was wrong: a change between the rows and the version is in neither. */
async function readRowsFirst({ ownerId, session }: Party): Promise<Page> {
  const admitted = (await sessionOwner(ownerId, 1, session))!;
  const { notifications } = await readFeed(admitted);
  await step("rows read");
  const { version } = await readLiveCounts({ ...admitted });
  return { ids: notifications.map(({ id }) => id), version };
}

/** Connects a page's stream, and returns the version of the news that it sends, if any. */
async function connect({ ownerId, session }: Party, after: string): Promise<string | undefined> {
  const sent: string[] = [];
  const actor = { kind: "owner" as const, ownerId, session };
  const stream = new CountStream(actor, after, { send: (text) => void sent.push(text), close: () => {} });
  await stream.read();
  stream.stop();
  return /^id: (\S+)\nevent: news/m.exec(sent.join(""))?.[1];
}

type Pushed = { id: string };
/** Returns a lane's party, after it is done with earlier notifications. */
async function prepare(lane: number): Promise<Party> {
  const party = parties[lane] as Party;
  await pool().query("UPDATE notification SET done_at = now() WHERE owner_id = $1 AND done_at IS NULL", [
    party.ownerId,
  ]);
  return party;
}

const pageAgainstPushes = (read: (party: Party) => Promise<Page>) =>
  scenario({
    title: "shows what an app pushes while a page is being read, or makes the page read again",
    prepare,
    actors: (party) => ({
      first: () => party.push("First"),
      page: () => read(party),
      second: () => party.push("Second"),
    }),
    async check(party, { first, page, second }) {
      if (page.status === "rejected") throw page.reason;
      const pushed = [first, second].map((it) => (it as PromiseFulfilledResult<Pushed>).value.id);
      if (pushed.every((id) => page.value.ids.includes(id))) return;
      expect(await connect(party, page.value.version), "news for the page").toBeDefined();
    },
  });

explore(pageAgainstPushes(readPage));

test("finds the update that is lost if a page reads its rows before its version", async () => {
  await expect(runSeeds(pageAgainstPushes(readRowsFirst))).rejects.toThrow("To repeat:");
});

/**
 * A hidden tab receives news, but reads its page only once it is visible. If the service does not
 * respond at that moment, the stream connects again later.
 * @param after returns the version with which the stream connects again
 */
const hiddenTab = (after: (shown: string, known: string) => string) =>
  scenario({
    title: "sends news again to a tab that was hidden, and could not read its page afterwards",
    prepare,
    actors: (party) => ({
      app: () => party.push("First"),
      tab: async () => {
        const page = await readPage(party);
        const known = (await connect(party, page.version)) ?? page.version;
        return { page, next: after(page.version, known) };
      },
    }),
    async check(party, { app: pushing, tab }) {
      if (tab.status === "rejected") throw tab.reason;
      const { page, next } = tab.value;
      if (page.ids.includes((pushing as PromiseFulfilledResult<Pushed>).value.id)) return;
      expect(await connect(party, next), "news for the tab").toBeDefined();
    },
  });

// As in components/live/tab-shared-stream.ts.
explore(hiddenTab((shown, known) => (covers(shown, known) ? known : shown)));

test("finds the update that is lost if the stream connects again with the version of the news", async () => {
  await expect(runSeeds(hiddenTab((_, known) => known))).rejects.toThrow("To repeat:");
});
