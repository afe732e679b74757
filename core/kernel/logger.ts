/** The part of a structured logger that core and plugins use. */
export interface Logger {
  /** The lowest level that is written, where the logger knows it; what lies below need not be put together. */
  readonly level?: string;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

const nothing = (): void => undefined;

export const silentLogger: Logger = {
  level: 'silent',
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => silentLogger,
};
