import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { eventually } from "./eventually";
import { anApp, anOwner } from "./factories";
import { codeBlocks } from "./markdown-code-blocks";
import { npmFolder } from "./npm-install-folder";
import { consent, oauthService } from "./oauth-service";
import { pythonWith } from "./python-environment";
import { runSystem, testWith } from "./test-with-programs";

// Runs the documentation's code for OAuth libraries unchanged, except for URLs.
const { url: service } = await oauthService();
const timeoutMs = 600_000;

/** Returns the code block of docs/oauth.md with this file name, using this test's URLs. */
function snippet(file: string, redirectUri: string): string {
  const block = codeBlocks("docs/oauth.md").find(({ of }) => of === file);
  if (!block) throw new Error(`docs/oauth.md has no block ${file}`);
  return block.code
    .replaceAll("https://yes.example.com", service)
    .replaceAll("http://localhost:8080/callback", redirectUri)
    .replace("listen(8080)", `listen(${new URL(redirectUri).port})`);
}

/**
 * Creates an app, and a server at the environment variable OWNER that acts as an owner's browser.
 * The server follows a posted link, and responds with the consent page's redirect.
 */
async function anApplicant(path = "/callback") {
  const owner = await anOwner();
  const redirectUri = `http://localhost:${await freePort()}${path}`;
  const { clientId, clientSecret } = await anApp(undefined, { redirectUris: [redirectUri] });
  const browser = createServer(async (req, res) => res.end(await consent(owner, await text(req))));
  await new Promise<void>((listening) => browser.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void browser.close());
  const OWNER = `http://127.0.0.1:${(browser.address() as AddressInfo).port}`;
  return { owner, redirectUri, env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, OWNER } };
}

/**
 * Returns a program that runs the whole flow with a snippet's exports `link`, `finish` and `renew`.
 */
const driver = (file: string) => `
import { finish, link, renew } from "./${file}";
const call = async (token) =>
  (await fetch("${service}/api/approvals", { headers: { authorization: "Bearer " + token } })).status;
const back = await (await fetch(process.env.OWNER, { method: "POST", body: link })).text();
console.log("granted", await call(await finish(new URL(back))));
console.log("refreshed", await call(await renew()));
`;

for (const { file, packages } of [
  { file: "simple-oauth2.mjs", packages: { "simple-oauth2": "5.1.0" } },
  { file: "arctic.mjs", packages: { arctic: "3.7.0" } },
  { file: "badgateway.mjs", packages: { "@badgateway/oauth2-client": "3.3.1" } },
])
  testWith(
    ["npm"],
    `connects an owner with the documented ${Object.keys(packages)[0]} code`,
    async (skip) => {
      const { folder } = await npmFolder(packages as Record<string, string>, skip);
      const { owner, redirectUri, env } = await anApplicant();
      writeFileSync(join(folder, file), snippet(file, redirectUri));
      writeFileSync(join(folder, "driver.mjs"), driver(file));
      const { out, err } = await runSystem(process.execPath, ["driver.mjs"], { cwd: folder, env });
      expect(out, err).toBe(`owner ${owner.ownerId}\ngranted 200\nrefreshed 200\n`);
    },
    timeoutMs,
  );

testWith(
  ["npm"],
  "connects an owner with the documented passport-oauth2 code",
  async (skip) => {
    const packages = { express: "5.2.1", "express-session": "1.19.0", passport: "0.7.0", "passport-oauth2": "1.8.0" };
    const { folder } = await npmFolder(packages, skip);
    const { owner, redirectUri, env } = await anApplicant();
    writeFileSync(join(folder, "passport.mjs"), snippet("passport.mjs", redirectUri));
    const child = spawn(process.execPath, ["passport.mjs"], {
      cwd: folder,
      env: { ...process.env, ...env, SESSION_SECRET: "of this test" },
      stdio: "inherit",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { origin } = new URL(redirectUri);
    const connect = () => fetch(`${origin}/connect`, { redirect: "manual" });
    const sent = await eventually(connect);
    const back = await consent(owner, sent.headers.get("location") ?? "");
    const cookie = sent.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(await (await fetch(back, { headers: { cookie } })).json()).toEqual({ owner: owner.ownerId });
    expect((await fetch(back)).status).toBeGreaterThan(400);
  },
  timeoutMs,
);

testWith(
  ["npm"],
  "signs an owner in with the documented Auth.js provider",
  async (skip) => {
    const { folder } = await npmFolder({ "@auth/core": "0.41.3" }, skip);
    const { owner, redirectUri, env } = await anApplicant("/auth/callback/countersign");
    writeFileSync(join(folder, "authjs.mjs"), snippet("authjs.mjs", redirectUri));
    writeFileSync(
      join(folder, "driver.mjs"),
      `
import { Auth } from "@auth/core";
import { countersign } from "./authjs.mjs";
const config = { providers: [countersign], secret: "of this test", trustHost: true, basePath: "/auth", callbacks: {
  jwt: ({ token, account }) => (account ? { ...token, owner: account.providerAccountId } : token),
  session: ({ session, token }) => ({ ...session, owner: token.owner }) } };
const cookies = new Map();
const visit = async (path, body) => {
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const request = new Request(new URL(path, "${redirectUri}"), { method: body ? "POST" : "GET", body, headers: { cookie } });
  const response = await Auth(request, config);
  for (const each of response.headers.getSetCookie()) {
    const [name, ...value] = each.split(";")[0].split("=");
    cookies.set(name, value.join("="));
  }
  return response;
};
const { csrfToken } = await (await visit("/auth/csrf")).json();
const sent = await visit("/auth/signin/countersign", new URLSearchParams({ csrfToken }));
const back = await (await fetch(process.env.OWNER, { method: "POST", body: sent.headers.get("location") })).text();
await visit(back);
console.log("owner", (await (await visit("/auth/session")).json())?.owner);
`,
    );
    const { out, err } = await runSystem(process.execPath, ["driver.mjs"], { cwd: folder, env });
    expect(out, err).toBe(`owner ${owner.ownerId}\n`);
  },
  timeoutMs,
);

testWith(
  ["python3"],
  "connects an owner with the documented Authlib code",
  async (skip) => {
    const programs = await pythonWith("oauth", ["Authlib==1.9.9", "requests"], skip);
    const { owner, redirectUri, env } = await anApplicant();
    const cwd = aFolder();
    writeFileSync(join(cwd, "authlib_app.py"), snippet("authlib_app.py", redirectUri));
    const drive = `
import os
import requests
from authlib_app import finish, link, renew
def call(token):
    return requests.get("${service}/api/approvals", headers={"Authorization": f"Bearer {token}"}).status_code
back = requests.post(os.environ["OWNER"], data=link).text
print("granted", call(finish(back)))
print("refreshed", call(renew()))
`;
    writeFileSync(join(cwd, "driver.py"), drive);
    const insecure = { AUTHLIB_INSECURE_TRANSPORT: "1" };
    const { out, err } = await runSystem(join(programs, "python"), ["driver.py"], {
      cwd,
      env: { ...env, ...insecure },
    });
    expect(out, err).toBe(`owner ${owner.ownerId}\ngranted 200\nrefreshed 200\n`);
  },
  timeoutMs,
);

testWith(
  ["go"],
  "connects an owner with the documented golang.org/x/oauth2 code",
  async (skip) => {
    const { owner, redirectUri, env } = await anApplicant();
    const cwd = aFolder();
    writeFileSync(join(cwd, "oauth.go"), snippet("oauth.go", redirectUri));
    writeFileSync(
      join(cwd, "main.go"),
      `package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

func main() {
	reply, err := http.Post(os.Getenv("OWNER"), "text/plain", strings.NewReader(link("a state")))
	if err != nil {
		panic(err)
	}
	text, _ := io.ReadAll(reply.Body)
	back, _ := url.Parse(string(text))
	client, err := finish(context.Background(), back.Query().Get("code"))
	if err != nil {
		panic(err)
	}
	called, err := client.Get(service + "/api/approvals")
	fmt.Println("granted", called.StatusCode, err)
}
`,
    );
    writeFileSync(join(cwd, "go.mod"), "module example\n\ngo 1.23\n\nrequire golang.org/x/oauth2 v0.30.0\n");
    const tidied = await runSystem("go", ["mod", "tidy"], { cwd });
    if (tidied.status !== 0) skip("Go cannot bring golang.org/x/oauth2");
    const { out, err } = await runSystem("go", ["run", "."], { cwd, env });
    expect(out, err).toBe(`owner ${owner.ownerId}\ngranted 200 <nil>\n`);
  },
  timeoutMs,
);

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-oauth-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
