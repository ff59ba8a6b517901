/** Counts the bytes of texts in memory. A text that several clients wait for counts once. */
export class SharedTexts {
  /** The total size of the texts in bytes. */
  bytes = 0;
  private readonly texts = new Map<string, { bytes: number; readers: number }>();

  /** The number of different texts. */
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

  /** Releases a text for one of its readers. */
  remove(text: string): void {
    const known = this.texts.get(text);
    if (!known || --known.readers > 0) return;
    this.texts.delete(text);
    this.bytes -= known.bytes;
  }
}
