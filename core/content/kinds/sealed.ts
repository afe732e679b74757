/**
 * A text that a plugin made unreadable before it reached a write: checked as it was given, kept as it was made. No body
 * can hold one, and no message shows it.
 */
export class Sealed {
  constructor(
    readonly stored: string,
    /** Absent for what was stored before, which nobody can check again. */
    readonly given?: string,
  ) {}

  toJSON(): undefined {
    return undefined;
  }
}
