import { rotateReceiptKey } from "@/lib/receipts/keys";
import type { Command } from "./command";

export const rotateReceiptsCommand: Command = {
  about: "Sign receipts with a new key. Earlier receipts stay valid.",
  async run() {
    const { kid, former } = await rotateReceiptKey();
    const some = former === 1 ? "1 former key stays" : `${former} former keys stay`;
    const kept =
      former === 0 ? "" : ` ${some} in /.well-known/jwks.json, so that receipts given before can be checked.`;
    return {
      json: { kid, former },
      text: `Receipts are signed with the new key ${kid}.${kept}`,
    };
  },
};
