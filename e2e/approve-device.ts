import type { APIRequestContext } from "@playwright/test";
import { post } from "./oauth-owner";

/** The owner types a device's code and allows these scopes, or denies if there are none. */
export async function approveDevice(http: APIRequestContext, userCode: string, scopes: string[]): Promise<void> {
  const entered = await post(http, "/device/enter", [["user_code", userCode]]);
  const page = entered.headers().location ?? "";
  const csrf = /name="csrf" value="([\w-]+)"/.exec(await (await http.get(page)).text())?.[1] ?? "";
  const selected = scopes.map((scope): [string, string] => ["scope", scope]);
  const decision = scopes.length > 0 ? "allow" : "deny";
  const reply = await post(http, `${page}/decide`, [["csrf", csrf], ["decision", decision], ...selected]);
  if (reply.status() !== 303) throw new Error(`the device was not decided: ${reply.status()} ${await reply.text()}`);
}
