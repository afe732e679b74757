/** A map that forgets what was used longest ago, so that it stays within its bound. */
export class Lru<Value> {
  private readonly entries = new Map<string, Value>();

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    // Moving a key to the end costs two map operations; only do it once the map is crowded.
    if (this.entries.size > this.most / 2) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  /** Answers which key had to make room. */
  set(key: string, value: Value): string | undefined {
    const isFull = this.entries.size >= this.most && !this.entries.has(key);
    const oldest = isFull ? this.oldest : undefined;
    if (oldest !== undefined) this.entries.delete(oldest);
    this.entries.set(key, value);
    return oldest;
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** The key that has to make room next. */
  get oldest(): string | undefined {
    return this.entries.keys().next().value;
  }

  get size(): number {
    return this.entries.size;
  }
}
