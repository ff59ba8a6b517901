import { verifyReceipt, verifyWebhook } from "countersign";
import express from "express";
import session from "express-session";
import { begin, clientFor, finish } from "./connect.mjs";
import { save, stored } from "./store.mjs";

const { APP_URL, CLIENT_ID, COUNTERSIGN_URL, SESSION_SECRET, WEBHOOK_SECRET } = process.env;
const app = express();

// 1. Receive the answer. The signature covers the raw body, so this route comes before any body parser.
app.post("/hooks", express.raw({ type: "application/json", limit: "1mb" }), async (request, response) => {
  let event;
  try {
    event = await verifyWebhook(request.body, request.headers, WEBHOOK_SECRET);
  } catch {
    return response.sendStatus(400);
  }
  response.sendStatus(204);
  if (event.type === "approval.resolved" && stored.deployments[event.data.id]?.owner === event.sub)
    await settle(event.data.id).catch(console.error);
});

app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false, cookie: { sameSite: "lax" } }));
app.use(express.urlencoded({ extended: false }));

// 2. Connect the owner by OAuth.
app.get("/connect", (request, response) => {
  const { link, ...started } = begin();
  request.session.started = started;
  response.redirect(link);
});
app.get("/callback", async (request, response) => {
  const owner = await finish(request.session.started, request.query);
  request.session.regenerate(() => {
    request.session.owner = owner;
    response.redirect("/");
  });
});

// 3. Ask, and store the content. The receipt is later checked against this content.
app.post("/deployments", async (request, response) => {
  const { owner } = request.session;
  const build = Number(request.body?.build);
  if (!owner) return response.redirect("/connect");
  if (!Number.isSafeInteger(build)) return response.status(400).send("Not a build number");
  const content = {
    question: `Ship build ${build}?`,
    options: [
      { id: "ship", label: "Ship now" },
      { id: "wait", label: "Wait" },
    ],
  };
  const id = await clientFor(owner).approvals.create(content, { key: `build-${build}` });
  stored.deployments[id] ??= { owner, build, content, state: "waiting for the owner" };
  save();
  response.redirect("/");
});

// 4. Act once on a verified answer, and report the outcome.
async function settle(id) {
  const deployment = stored.deployments[id];
  const client = clientFor(deployment.owner);
  const receipt = await verifyReceipt(await client.approvals.receipt(id), {
    issuer: COUNTERSIGN_URL,
    audience: CLIENT_ID,
    owner: deployment.owner,
    approvalId: id,
    content: deployment.content,
  });
  // The same event can arrive twice. Nothing is awaited between this check and save().
  if (deployment.state !== "waiting for the owner") return;
  deployment.state = receipt.yes("ship") ? "shipping" : "not shipped";
  save();
  if (deployment.state === "not shipped") return;
  await client.approvals.report(id, { status: "started" });
  const outcome = await ship(deployment.build).then(
    () => ({ status: "done", text: "Shipped" }),
    (error) => ({ status: "failed", text: error.message }),
  );
  deployment.state = outcome.status === "done" ? "shipped" : "failed";
  save();
  await client.approvals.report(id, outcome);
}

/** Your deployment. */
const ship = async (build) => console.log(`Shipping build ${build}`);

app.get("/", (request, response) => {
  const { owner } = request.session;
  if (!owner) return response.send('<a href="/connect">Connect Countersign</a>');
  const mine = Object.values(stored.deployments).filter((deployment) => deployment.owner === owner);
  const items = mine.map(({ build, state }) => `<li>Build ${build}: ${state}</li>`).join("");
  response.send(`<form method="post" action="/deployments"><input name="build" inputmode="numeric" required>
<button>Ask to ship</button></form><ul>${items}</ul>`);
});

app.use((error, _request, response, _next) =>
  response
    .status(error.status ?? 400)
    .type("text")
    .send(error.message),
);

app.listen(new URL(APP_URL).port, () => console.log(`Open ${APP_URL}`));

// Read the answers that arrived while this program was stopped.
for (const [id, { owner, state }] of Object.entries(stored.deployments))
  if (state === "waiting for the owner")
    clientFor(owner)
      .approvals.get(id)
      .then(({ status }) => status === "resolved" && settle(id))
      .catch(console.error);
