import { refresh } from "next/cache";

/** Do it, and have the page that is open show what has changed. For server actions. */
export const thenRefresh =
  <Owner, Input, T>(run: (owner: Owner, input: Input) => Promise<T>) =>
  async (owner: Owner, input: Input): Promise<T> => {
    const value = await run(owner, input);
    refresh();
    return value;
  };
