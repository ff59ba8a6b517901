/** Texts in memory. The same text may wait for several clients, and counts once. */
export class SharedTexts {
  /** How many bytes they take. */
  bytes = 0;
  private readonly texts = new Map<string, { bytes: number; readers: number }>();

  /** How many different ones there are. */
  get count(): number {
    return this.texts.size;
  }

  add(text: string, bytes: number): void {
    const known = this.texts.get(text);
    if (known) {
      known.readers++;
      return;
    }
    this.texts.set(text, { bytes, readers: 1 });
    this.bytes += bytes;
  }

  /** One of its readers is gone. */
  remove(text: string): void {
    const known = this.texts.get(text);
    if (!known || --known.readers > 0) return;
    this.texts.delete(text);
    this.bytes -= known.bytes;
  }
}
