import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "@/lib/testing/eventually";
import { configure } from "@/lib/testing/settings";
import { offerBrowser } from "./open-browser";

const offer = "Type o and press Enter to open it in your browser.";
const link = "http://localhost:3000/setup?token=csn_su_secret";
const kept = { ...process.env };
let folder: string;

/** Fake system programs; the one that opens a browser records the URL. */
function programs({ opens, foreground = true }: { opens: boolean; foreground?: boolean }) {
  const put = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  put("ps", foreground ? "echo 7 7" : "echo 7 8");
  for (const name of ["xdg-open", "open"]) put(name, opens ? `printf %s "$1" > "${folder}/opened"` : "exit 3");
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-browser-"));
  const { CI: _, SSH_CONNECTION: __, ...rest } = kept;
  process.env = { ...rest, PATH: `${folder}:/bin:/usr/bin`, DISPLAY: ":0" };
});
afterEach(() => {
  process.env = { ...kept };
  rmSync(folder, { recursive: true });
});

function aTerminal({ isTTY = true } = {}) {
  const said: string[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY, unref() {} });
  const terminal = { stdin: stdin as unknown as NodeJS.ReadStream, stdout: { isTTY } };
  const begin = (address: string, secret: boolean) =>
    offerBrowser({ address, secret, say: (line) => said.push(line) }, terminal);
  return { said, stdin, begin };
}
const opened = () => (existsSync(join(folder, "opened")) ? readFileSync(join(folder, "opened"), "utf8") : "");

it("opens the URL once on “o” and Enter, ignoring other input", async () => {
  programs({ opens: true });
  const { said, stdin, begin } = aTerminal();
  begin("http://localhost:3000", false);
  expect(said).toEqual([offer]);
  stdin.write("ok\n");
  stdin.write("o\n");
  await eventually(() => expect(opened()).toBe("http://localhost:3000"));
  expect(stdin.listenerCount("data")).toBe(0);
  expect(said).toEqual([offer]);
});

it("opens a secret link through a single-use local URL", async () => {
  programs({ opens: true });
  const { stdin, begin } = aTerminal();
  begin(link, true);
  stdin.write("O\n");
  await eventually(() => expect(opened()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}$/));
  const ask = (address: string) => fetch(address, { redirect: "manual" });
  expect((await ask(`${new URL(opened()).origin}/guess`)).status).toBe(404);
  const led = await ask(opened());
  expect([led.status, led.headers.get("location")]).toEqual([302, link]);
  await expect(ask(opened())).rejects.toThrow();
});

it("reports that no browser could be opened", async () => {
  programs({ opens: false });
  const { said, stdin, begin } = aTerminal();
  begin("http://localhost:3000", false);
  stdin.write("o\n");
  await eventually(() => expect(said).toEqual([offer, "Couldn't open a browser. Open the address above manually."]));
});

it.each([
  ["into a pipe", { isTTY: false }, {}, true],
  ["on a build machine", {}, { CI: "true" }, true],
  ["over SSH", {}, { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, true],
  ["in the background", {}, {}, false],
])("offers nothing %s", (_, terminal, environment, foreground) => {
  programs({ opens: true, foreground });
  configure(environment);
  const { said, stdin, begin } = aTerminal(terminal);
  begin(link, true);
  expect(said).toEqual([]);
  expect(stdin.listenerCount("data")).toBe(0);
});
