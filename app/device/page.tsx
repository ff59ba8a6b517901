import { DeviceCodeForm } from "@/components/grants/device-code-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Connect a device" };

type Search = Promise<Record<string, string | string[] | undefined>>;

export default async function Device({ searchParams }: { searchParams: Search }) {
  await requireOwner();
  const { user_code, wrong } = await searchParams;
  const code = typeof user_code === "string" ? user_code.slice(0, 100) : "";
  return (
    <SignedOutLayout
      title="Connect a device"
      lead="Enter the code that an app shows on your TV, terminal or other device. Then review the app’s request."
    >
      <DeviceCodeForm code={code} wrong={wrong !== undefined} />
    </SignedOutLayout>
  );
}
