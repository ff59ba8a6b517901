import { TimeAgo } from "./time-ago";

/** The time of the last use, or "never used". `at` is in epoch milliseconds. */
export const LastUsed = ({ at }: { at: number | undefined }) =>
  at === undefined ? (
    "never used"
  ) : (
    <>
      used <TimeAgo at={at} />
    </>
  );
