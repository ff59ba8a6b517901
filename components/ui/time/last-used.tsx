import { TimeAgo } from "./time-ago";

/** When something was last used, if it ever was. `at` in epoch milliseconds. */
export const LastUsed = ({ at }: { at: number | undefined }) =>
  at === undefined ? (
    "never used"
  ) : (
    <>
      used <TimeAgo at={at} />
    </>
  );
