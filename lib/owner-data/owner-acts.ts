import { ownerAct } from "@/lib/owner-act";
import { Deletion } from "@/lib/owners/schema";
import { deleteOwner } from "./deletion";

export const deleteAccount = ownerAct({
  name: "account.delete",
  input: Deletion,
  fresh: true,
  run: deleteOwner,
  keeps: () => ({ session: "none" }),
  next: () => "/goodbye",
});
