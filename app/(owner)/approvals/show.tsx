import { Background } from "@/components/approvals/background";
import type { Asked } from "@/components/approvals/types";
import type { OwnedApproval } from "@/lib/approvals/owned";

/** How much background, in characters, travels with a list: the next questions' is there before it is asked for. */
const room = 40_000;

/** Approvals with their backgrounds rendered: the open one's in any case, the others' while there is room. */
export function show(approvals: OwnedApproval[], open: string | undefined): Asked[] {
  let left = room;
  return approvals.map(({ backgroundContext = "", ...approval }) => {
    if (backgroundContext.trim() === "") return { ...approval, whole: true };
    left -= backgroundContext.length;
    if (left < 0 && approval._id !== open) return { ...approval, whole: false };
    return { ...approval, whole: true, background: <Background text={backgroundContext} /> };
  });
}
