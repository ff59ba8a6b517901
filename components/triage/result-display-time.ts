/** `leaveAt` is when a result's display time ends, as a `performance.now()` value. */
type Leaving = { leaveAt?: number | undefined };

export const staying = (local: Leaving | undefined) => local?.leaveAt !== undefined && { leaveAt: local.leaveAt };

export const hasStayed = ({ leaveAt }: Leaving, now: number) => leaveAt !== undefined && now >= leaveAt;

export const leave = <Local extends Leaving>(local: Local): Local =>
  local.leaveAt === undefined ? local : { ...local, leaveAt: undefined };
