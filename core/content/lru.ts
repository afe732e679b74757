/** A map that forgets what was used longest ago, so that neither its entries nor the texts that they hold become too many. */
export class Lru<Value> {
  private readonly entries = new Map<string, Value>();
  /** Characters of values, where they hold any besides the key. */
  private readonly texts = new Map<string, number>();
  private length = 0;
  private isCrowded = false;

  /**
   * At most so many entries, and so many characters in all their keys and in what is said of their values: the longer a key is,
   * the more its value holds.
   */
  constructor(
    private readonly most: number,
    private readonly mostText = Number.POSITIVE_INFINITY,
  ) {}

  get(key: string): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    // Moving a key to the end costs two map operations; only do it once the map is crowded.
    if (this.isCrowded) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  /** Answers which keys had to make room; the given one alone where it is longer than all may be. */
  set(key: string, value: Value, text = 0): readonly string[] {
    this.delete(key);
    if (key.length + text > this.mostText) return [key];
    this.length += key.length + text;
    if (text > 0) this.texts.set(key, text);
    this.entries.set(key, value);
    const gone: string[] = [];
    while (this.entries.size > this.most || this.length > this.mostText) {
      const oldest = this.oldest!;
      this.delete(oldest);
      gone.push(oldest);
    }
    this.isCrowded = this.entries.size > this.most / 2 || this.length > this.mostText / 2;
    return gone;
  }

  delete(key: string): void {
    if (!this.entries.delete(key)) return;
    this.length -= key.length + (this.texts.get(key) ?? 0);
    this.texts.delete(key);
  }

  /** The key that has to make room next. */
  get oldest(): string | undefined {
    return this.entries.keys().next().value;
  }

  get size(): number {
    return this.entries.size;
  }
}
