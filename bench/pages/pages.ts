import { anOwner } from "@/lib/testing/factories";
import { aBrowserApp } from "../../e2e/oauth-app";

/** Every page an owner sees, by its path: the consent page with a foreign app. */
export async function everyPage(): Promise<{ paths: [name: string, path: string][]; close: () => void }> {
  const pilot = await aBrowserApp(await anOwner());
  const owners = ["approvals", "notifications", "integrations", "apps", "activity", "developer", "settings"];
  return {
    paths: [
      ...owners.map((name): [string, string] => [`/${name}`, `/${name}`]),
      ["answered", "/approvals?status=resolved"],
      ["consent", pilot.authorizeUrl("approvals:write approvals:read notifications:write")],
    ],
    close: () => pilot.close(),
  };
}
