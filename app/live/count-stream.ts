import type { OwnerActor } from "@/lib/actor";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { readQuiet } from "@/lib/notifications/active-quiet-hours";

/** The delay before a retry after a failed database query, in milliseconds. */
const retryMs = 1000;

type Stream = {
  send(text: string): void;
  /** Ends the stream. */
  close(): void;
};

/** Reads an owner's counts when something changed, and sends them as events. */
export class CountStream {
  private isReading = false;
  /** Whether another read was requested during a read. Several requests cause one read. */
  private isWanted = false;
  /** Whether something changed since the last read. */
  private hasChanged = false;
  private retry: ReturnType<typeof setTimeout> | undefined;

  /** @param version the connecting page's version; the stream sends later changes */
  constructor(
    private readonly owner: OwnerActor & { session: string },
    private version: string,
    private readonly stream: Stream,
  ) {}

  /**
   * Reads the counts after a change.
   * @param missed whether nobody knows if anything changed, because messages were lost or the last
   * read failed
   */
  onChange(missed: boolean): void {
    this.hasChanged ||= !missed;
    void this.read().catch(this.stream.close);
  }

  /** Sends an event even without a change, so that broken connections are noticed. */
  beat(): void {
    void this.read(true).catch(this.stream.close);
  }

  stop(): void {
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
      this.retry = setTimeout(() => this.onChange(true), retryMs);
      return false;
    }
    if (!news.signedIn) {
      // The page then reloads, and finds that the session has ended.
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
