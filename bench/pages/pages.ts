import { anOwner } from "@/lib/testing/factories";
import { aBrowserApp } from "../../e2e/oauth-app";

/** Every owner's page by its path. The consent page shows another owner's app. */
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
