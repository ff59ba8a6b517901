// The service worker shows alerts, and the last lists without a connection. It stores two pages of
// the signed-in owner and nothing else of theirs. It never stores an answer, because a later send
// could apply to a changed question.

const shellCache = "shell-1";
const pagesCache = "pages";
const offlinePage = "/offline.html";
const shell = [offlinePage, "/offline.css", "/mark.svg", "/icons/icon-192.png", "/icons/badge-96.png"];
/** The lists that are stored, read-only. */
const lists = ["/approvals", "/notifications"];

/** When a page last failed to load. For a while afterwards, stored pages' files also come from the cache. */
let awayAt = 0;
const awayMs = 60_000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(shellCache)
      .then((cache) => cache.addAll(shell))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (![shellCache, pagesCache].includes(name)) await caches.delete(name);
      // The browser requests the page while this worker is still starting.
      await self.registration.navigationPreload?.enable();
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    // Signing out deletes the owner's stored pages.
    if (request.method === "POST" && pathname === "/sign-out") event.waitUntil(forget());
    else if (request.method === "GET") event.respondWith(visit(event, pathname));
    return;
  }
  const away = !self.navigator.onLine || Date.now() - awayAt < awayMs;
  if (away && request.method === "GET" && (pathname.startsWith("/_next/static/") || shell.includes(pathname)))
    event.respondWith(caches.match(request, { ignoreVary: true }).then((kept) => kept ?? fetch(request)));
});

/** Whether a page is for signed-out visitors; false where a signed-in owner confirms their identity. */
const isDoor = (pathname) => /^\/(sign-in|setup)(\/|$)/.test(pathname) && pathname !== "/sign-in/again";

/** Returns the page from the service; without a connection, the stored list or the offline page. */
async function visit(event, pathname) {
  try {
    const reply = (await event.preloadResponse) ?? (await fetch(event.request));
    awayAt = 0;
    // No one is signed in here, or another owner is about to be.
    if (isDoor(pathname)) event.waitUntil(forget());
    else if (lists.includes(pathname) && !new URL(event.request.url).search)
      event.waitUntil(keep(pathname, undefined, reply.clone()));
    return reply;
  } catch {
    awayAt = Date.now();
    const list = lists.find((path) => pathname === path || pathname.startsWith(`${path}/`));
    const kept = list && (await (await caches.open(pagesCache)).match(list));
    return kept ?? (await caches.match(offlinePage)) ?? Response.error();
  }
}

/** The number of deletions so far. A page whose storing began before one is not stored. */
let forgotten = 0;

async function forget() {
  forgotten++;
  await caches.delete(pagesCache);
  for (const shown of await self.registration.getNotifications()) shown.close();
}

/** Messages from our pages. */
self.addEventListener("message", (event) => {
  const { data } = event;
  if (data?.keep) event.waitUntil(keep(data.keep, data.owner));
  if (data?.tidy) event.waitUntil(tidy());
});

/** Pages are stored in sequence, so that none deletes a file that another needs. */
let keeping = Promise.resolve();

/**
 * Stores a list in its current state, with its files. Deletes another owner's pages first.
 * @param owner the required owner; by default, any
 */
function keep(path, owner, reply) {
  const before = forgotten;
  keeping = keeping.then(() => keepNow(path, owner, reply, before)).catch(() => {});
  return keeping;
}

async function keepNow(path, owner, reply, before) {
  if (!lists.includes(path)) return;
  const page = reply ?? (await fetch(path, { headers: { accept: "text/html" } }));
  if (page.status !== 200 || page.redirected) return;
  const html = await page.clone().text();
  const whose = /data-owner="(own_\w+)"/.exec(html)?.[1];
  if (!whose || (owner && owner !== whose)) return;
  const known = await (await caches.open(pagesCache)).match("/whose");
  if (known && (await known.text()) !== whose) await caches.delete(pagesCache);
  const pages = await caches.open(pagesCache);
  const files = filesOf(html);
  await Promise.allSettled(files.map(async (file) => (await pages.match(file)) ?? pages.add(file)));
  if (before !== forgotten) return;
  await pages.put("/whose", new Response(whose));
  await pages.put(path, page);
  await dropUnneeded(pages);
  if (before !== forgotten) await caches.delete(pagesCache);
}

const filesOf = (html) => [...new Set(html.match(/\/_next\/static\/[\w./~-]+/g))];

/** Deletes files of earlier builds that no stored page needs. */
async function dropUnneeded(pages) {
  const needed = new Set(["/whose", ...lists]);
  for (const list of lists) {
    const kept = await pages.match(list);
    for (const file of kept ? filesOf(await kept.text()) : []) needed.add(file);
  }
  for (const request of await pages.keys()) if (!needed.has(new URL(request.url).pathname)) await pages.delete(request);
}

self.addEventListener("push", (event) => event.waitUntil(receive(event.data)));

/** Handles a declarative push message, which Safari shows natively, or the withdrawal of an alert. */
async function receive(sent) {
  const { notification, close, app_badge: waiting } = read(sent);
  // Not awaited, because some systems never complete it.
  if (typeof waiting === "number") void setBadge(waiting);
  if (close) {
    for (const shown of await self.registration.getNotifications({ tag: close })) shown.close();
    return;
  }
  // A visible page shows the news itself.
  const pages = await ownersPages();
  if (notification?.tag !== "test" && pages.some(({ visibilityState }) => visibilityState === "visible")) return;
  const { title = "Countersign", navigate = "/approvals", actions = [], data, ...options } = notification ?? {};
  await show(title, {
    ...options,
    // Without room for both answers, the alert offers none.
    actions:
      data?.ticket && !(Notification.maxActions >= 2) ? [] : actions.map(({ action, title }) => ({ action, title })),
    data: { ...data, navigate },
  });
}

const show = (title, options) =>
  self.registration.showNotification(title, { ...options, icon: "/icons/icon-192.png", badge: "/icons/badge-96.png" });

/** The windows with owners' pages. Others, like an app's consent page, show no alerts and must not be navigated. */
const ownersPages = async () =>
  (await self.clients.matchAll({ type: "window" })).filter(({ url }) => {
    const { pathname } = new URL(url);
    return !/^\/(docs|oauth|consent|device|sign-in|sign-up|setup|alerts|goodbye|confirm-email)(\/|$)/.test(pathname);
  });

/** Replaces the browser's push address at the service, for the owner who is signed in here. */
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

async function renew({ oldSubscription: old, newSubscription }) {
  if (!old) return;
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(old.options));
  const [before, now] = [old.toJSON(), subscription.toJSON()];
  const form = new URLSearchParams({ endpoint: now.endpoint, p256dh: now.keys.p256dh, auth: now.keys.auth });
  form.set("oldEndpoint", before.endpoint);
  form.set("oldP256dh", before.keys.p256dh);
  form.set("oldAuth", before.keys.auth);
  // If this fails, the next page finds the new address unknown, and offers to turn on alerts.
  await fetch("/acts/device.renew", { method: "POST", headers: { accept: "application/json" }, body: form });
}

function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

const setBadge = (count) =>
  (count > 0 ? self.navigator.setAppBadge?.(count) : self.navigator.clearAppBadge?.())?.catch(() => {});

/** Runs when one of our pages opens: closes alerts that are over, even without a withdrawal message. */
async function tidy() {
  const shown = await self.registration.getNotifications();
  const tags = shown.map(({ tag }) => tag).filter((tag) => /^(apr|ntf|app)_/.test(tag));
  if (tags.length === 0) return;
  const reply = await fetch(`/alerts/open?${new URLSearchParams(tags.map((tag) => ["tag", tag]))}`);
  if (!reply.ok) return;
  const { open } = await reply.json();
  for (const it of shown) if (tags.includes(it.tag) && !open.includes(it.tag)) it.close();
}

self.addEventListener("notificationclick", (event) => {
  const { tag, data } = event.notification;
  const address = data?.navigate ?? "/approvals";
  event.notification.close();
  const [, choice] = /^answer-(\d)$/.exec(event.action) ?? [];
  if (choice && data?.ticket) event.waitUntil(answer({ ticket: data.ticket, choice }, tag, address));
  else if (event.action === "freeze") event.waitUntil(freeze());
  else event.waitUntil(event.action === "snooze" ? snooze(tag, address) : open(address));
});

/** Answers with the alert's ticket, even when no one is signed in. If this fails, opens the question. */
async function answer(form, tag, address) {
  const reply = await fetch("/alerts/answer", { method: "POST", body: new URLSearchParams(form) }).catch(
    () => undefined,
  );
  const outcome = reply?.ok ? await reply.json().catch(() => undefined) : undefined;
  if (!outcome) return open(address);
  // The tag differs from the question's, whose alert is about to be closed.
  await show(outcome.title, { body: outcome.body, tag: `answered.${tag}`, silent: true, data: { navigate: address } });
}

/** Snoozes a question for an hour, for the signed-in owner. If this fails, opens the question. */
async function snooze(id, address) {
  const reply = await fetch("/alerts/snooze", { method: "POST", body: new URLSearchParams({ id }) }).catch(
    () => undefined,
  );
  if (!reply?.ok) await open(address);
}

/** Freezes all apps of the signed-in owner. If this fails, opens the page with the same control. */
async function freeze() {
  const reply = await fetch("/alerts/freeze", { method: "POST" }).catch(() => undefined);
  if (!reply?.ok) return open("/frozen");
  const body = "Open Countersign to review and unfreeze.";
  await show("All apps are frozen", { body, tag: "frozen", silent: true, data: { navigate: "/frozen" } });
}

/** Opens one of our pages, in an owner's open window or in a new one. */
async function open(address) {
  const url = new URL(address, self.location.origin);
  const to = url.origin === self.location.origin ? url.href : self.location.origin;
  const [page] = await ownersPages();
  const there = await page?.navigate(to).catch(() => null);
  return there ? there.focus() : self.clients.openWindow(to);
}
