import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { readQuiet } from "@/lib/notifications/active-quiet-hours";
import { pausePoint } from "@/lib/pause-points";

/** The delay before a retry after a failed database query, in milliseconds. */
const retryMs = 1000;
/**
 * The delay between a change and the read, in milliseconds. The page then loads all its data again,
 * so the delay lets apps that wait for the owner's answer receive it first.
 */
const delayMs = 25;

type Stream = {
  send(text: string): void;
  close(): void;
};

/** Reads an owner's counts when something changes, and sends them as events. */
export class CountStream {
  private isReading = false;
  /**
   * Whether a read was requested while another was running. Several such requests cause only one
   * more read.
   */
  private isWanted = false;
  /** Whether something changed since the last read. */
  private hasChanged = false;
  /** Set between a change and its read. */
  private soon: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  /** @param version the version of the connecting page; the stream sends only later changes */
  constructor(
    private readonly owner: OwnerActor & { session: string },
    private version: string,
    private readonly stream: Stream,
  ) {}

  /**
   * Reads the counts after a known or possible change.
   * @param missed whether messages were lost or the last read failed, so that it is unknown if
   *   anything changed
   */
  onChange(missed: boolean): void {
    this.hasChanged ||= !missed;
    this.soon ??= clock.setTimeout(() => {
      this.soon = undefined;
      void this.read().catch(this.stream.close);
    }, delayMs);
  }

  /** Sends an event even without a change, so that broken connections are noticed. */
  beat(): void {
    void this.read(true).catch(this.stream.close);
  }

  stop(): void {
    clearTimeout(this.soon);
    clearTimeout(this.retry);
  }

  async read(always = false): Promise<void> {
    if (this.isReading) {
      this.isWanted = true;
      return;
    }
    this.isReading = true;
    let goesOn: boolean;
    do goesOn = await this.readOnce(always);
    while (goesOn && this.isWanted);
    this.isReading = false;
  }

  /** @returns false if the send failed or the stream ended */
  private async readOnce(always: boolean): Promise<boolean> {
    const hasChanged = this.hasChanged;
    this.isWanted = this.hasChanged = false;
    const { owner, version: since } = this;
    const news = await readQuiet(owner)
      .then((quiet) => readLiveCounts({ ...owner, quiet, since }))
      .catch(() => undefined);
    if (!news) {
      this.hasChanged ||= hasChanged;
      clearTimeout(this.retry);
      this.retry = clock.setTimeout(() => this.onChange(true), retryMs);
      return false;
    }
    await pausePoint("counts read, not sent");
    if (!news.signedIn) {
      // On this event, the page reloads and finds that the session has ended.
      this.stream.send("event: news\ndata: {}\n\n");
      this.stream.close();
      return false;
    }
    const { pending, unseen, version } = news;
    // A change and its reversal can leave the counts equal, so a change is reported even then.
    if (hasChanged || news.changed)
      this.stream.send(`id: ${version}\nevent: news\ndata: ${JSON.stringify({ pending, unseen })}\n\n`);
    else if (always) this.stream.send("event: beat\ndata:\n\n");
    this.version = version;
    return true;
  }
}
