import { ownerAction } from "@/lib/form-action";
import { Deletion } from "@/lib/owners/schema";
import { deleteOwner } from "./account-deletion";

export const deleteAccount = ownerAction({
  name: "account.delete",
  input: Deletion,
  fresh: true,
  run: deleteOwner,
  browserState: () => ({ session: "none" }),
  next: () => "/goodbye",
});
