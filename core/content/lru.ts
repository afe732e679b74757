/** A map that forgets what was used longest ago, so that neither its entries nor the texts of their keys become too many. */
export class Lru<Value> {
  private readonly entries = new Map<string, Value>();
  private length = 0;
  private isCrowded = false;

  /** At most so many entries, and so many characters in all their keys: the longer a key is, the more its value holds. */
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

  /** Answers which keys had to make room; the given one alone where it is longer than all keys may be. */
  set(key: string, value: Value): readonly string[] {
    if (key.length > this.mostText) return [key];
    if (!this.entries.has(key)) this.length += key.length;
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
    if (this.entries.delete(key)) this.length -= key.length;
  }

  /** The key that has to make room next. */
  get oldest(): string | undefined {
    return this.entries.keys().next().value;
  }

  get size(): number {
    return this.entries.size;
  }
}
