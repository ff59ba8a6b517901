import { db } from "@/lib/database/db";
import { expect, serviceUrl, test } from "./fixtures";

test("accepts exactly one of a hundred concurrent answers", {
  tag: "@more",
}, async ({ owner, app, page }) => {
  const session = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  for (let round = 0; round < 10; round++) {
    const id = await app.ask({ question: `Round ${round}?` });
    const form = await answerForm(id, session);
    const byApi = Array.from({ length: 50 }, async (_, n) => {
      const body = { kind: "option", optionId: "yes", note: `api ${n}` };
      return (await app.call(`/api/approvals/${id}/resolve`, body)).status;
    });
    const byOwner = Array.from({ length: 50 }, async (_, n) => (await form(`owner ${n}`)).status);
    const [api, owners] = [await Promise.all(byApi), await Promise.all(byOwner)];

    const { resolution } = await app.read(id);
    const winners = api.flatMap((status, n) => (status === 200 ? [n] : []));
    expect(resolution?.optionId).toBe(resolution?.resolvedBy === "api" ? "yes" : "no");
    expect(await db.event.count({ where: { subject: id, type: "approval.resolved" } })).toBe(1);
    for (const status of owners) expect([200, 303, 503]).toContain(status);
    // An overloaded server returns 503, which leaves the outcome unknown. Without a 503, the count
    // is exact.
    for (const status of api) expect([200, 409, 503]).toContain(status);
    if (winners.length > 0) expect([winners.length, resolution?.note]).toEqual([1, `api ${winners[0]}`]);
    if (!api.includes(503)) expect(winners).toHaveLength(resolution?.resolvedBy === "api" ? 1 : 0);
  }
  // Without competition, the session's form records an answer.
  const alone = await app.ask({ question: "Alone?" });
  expect((await (await answerForm(alone, session))("owner alone")).status).toBe(303);
  expect((await app.read(alone)).resolution).toMatchObject({
    resolvedBy: "owner",
    optionId: "no",
    note: "owner alone",
  });
  expect(owner.ownerId).toBeTruthy();
});

/** Posts the decision page's form like a browser without scripts, with option "no". */
async function answerForm(id: string, session: string) {
  const url = `${serviceUrl()}/approvals/${id}`;
  const html = await (await fetch(url, { headers: { cookie: session } })).text();
  const form = /<form[^>]*>(?:(?!<\/form>)[\s\S])*name="optionId"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  const hidden = [...form.matchAll(/<input type="hidden"([^>]*)>/g)].map(([, attributes = ""]) => ({
    name: /name="([^"]*)"/.exec(attributes)?.[1] ?? "",
    value: /value="([^"]*)"/.exec(attributes)?.[1]?.replaceAll("&quot;", '"').replaceAll("&amp;", "&") ?? "",
  }));
  const action = /<form[^>]* action="([^"]*)"/.exec(form)?.[1] ?? "";
  expect(action).toBe("/acts/approval.answer");
  return (note: string) => {
    const body = new FormData();
    for (const { name, value } of hidden) body.append(name, value);
    body.append("note", note);
    body.append("optionId", "no");
    // A browser sends the length, so the request must too.
    return new Response(body).blob().then((blob) =>
      fetch(new URL(action, url), {
        method: "POST",
        redirect: "manual",
        headers: { cookie: session, origin: serviceUrl(), "content-type": blob.type },
        body: blob,
      }),
    );
  };
}
