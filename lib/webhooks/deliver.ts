import { randomUUID } from "node:crypto";
import { log } from "@/lib/log";
import { Stopped, send } from "./send";
import { disable, drop, settle } from "./settle";
import { giveBack, renewLeases, renewMs, type Taken, takeDue } from "./take";

/** Most attempts under way on this copy. */
const most = 60;
/** How long attempts under way may still take when this copy is to stop. */
const leaveMs = 5000;

/**
 * Ready to send what is due. Several copies share the work: each attempt is made by one. `wake` looks for some and waits for
 * nothing; `idle` resolves when none is under way; `stop` begins no more, lets what is under way end or breaks it off after
 * seconds, and gives that back.
 */
export function startSending() {
  const lease = randomUUID();
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let [stopped, wanted, failing] = [false, false, false];
  let looking: Promise<void> | undefined;

  const attempt = async (it: Taken) => {
    try {
      await deliver(lease, it, stopping.signal);
    } catch (error) {
      if (error instanceof Stopped) await giveBack(lease, it.id).catch(() => {});
      // Its lease ends by itself, and then it is sent again.
      else log.warn("the result of a webhook could not be recorded", { reason: String(error) });
    }
  };
  const begin = (it: Taken) => {
    underWay.set(
      it.id,
      attempt(it).finally(() => {
        underWay.delete(it.id);
        wake();
      }),
    );
  };
  const look = async () => {
    while (wanted && !stopped && underWay.size < most) {
      wanted = false;
      for (const it of await takeDue(lease, most - underWay.size)) {
        begin(it);
        wanted = true;
      }
      failing = false;
    }
  };
  const wake = () => {
    wanted = true;
    if (stopped || looking) return;
    looking = look()
      .catch((error) => {
        // Said once, not at every look.
        if (!failing) log.warn("webhooks could not be sent; will retry", { reason: String(error) });
        failing = true;
        wanted = false;
      })
      .finally(() => {
        looking = undefined;
        if (wanted && underWay.size < most) wake();
      });
  };
  const renewing = setInterval(() => {
    if (underWay.size > 0) renewLeases(lease, [...underWay.keys()]).catch(() => {});
  }, renewMs);
  renewing.unref();

  const idle = async () => {
    while (looking || underWay.size > 0) await Promise.all([looking, ...underWay.values()]);
  };
  const stop = async () => {
    stopped = true;
    const late = setTimeout(() => stopping.abort(), leaveMs);
    await idle();
    clearTimeout(late);
    clearInterval(renewing);
  };
  return { wake, idle, stop };
}

async function deliver(lease: string, it: Taken, stopping: AbortSignal): Promise<void> {
  if (!it.wanted) return void (await drop(lease, it.id));
  const began = performance.now();
  const went = await send(it, stopping);
  const ms = performance.now() - began;
  if (went.how !== "unsigned") return surely(() => settle(lease, it, went, ms));
  await drop(lease, it.id);
  await disable(it.endpointId, "secret");
}

/** A busy database is asked again: what was sent and is not written down would be sent twice. */
async function surely(work: () => Promise<void>): Promise<void> {
  for (let time = 1; ; time++) {
    try {
      return await work();
    } catch (error) {
      if (time === 4) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250 * time));
    }
  }
}

/** Make the next attempt of one delivery now, unless somebody else is at it. For the operator's commands. */
export async function deliverNow(id: string): Promise<void> {
  const lease = randomUUID();
  const [it] = await takeDue(lease, 1, id);
  if (!it) return;
  const renewing = setInterval(() => void renewLeases(lease, [id]).catch(() => {}), renewMs);
  await deliver(lease, it, new AbortController().signal).finally(() => clearInterval(renewing));
}
