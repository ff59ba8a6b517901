import { rotateReceiptKey } from "@/lib/receipts/receipt-keys";
import { plural } from "@/lib/text/plural";
import type { Command } from "./command";

export const rotateReceiptsCommand: Command = {
  async run() {
    const { kid, former } = await rotateReceiptKey();
    const some = plural(former, { one: "# former key stays", other: "# former keys stay" });
    const kept =
      former === 0 ? "" : ` ${some} in /.well-known/jwks.json, so that programs can verify earlier receipts.`;
    return {
      json: { kid, former },
      text: `The service now signs receipts with the new key ${kid}.${kept}`,
    };
  },
};
