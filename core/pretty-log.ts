const colours: Readonly<Record<string, number>> = { trace: 90, debug: 90, info: 32, warn: 33, error: 31, fatal: 35 };

const paint = (colour: number, text: string): string => `\u001b[${colour}m${text}\u001b[0m`;

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface Line {
  time: string;
  level: string;
  msg?: string;
  err?: { stack?: string; message?: string };
  [field: string]: unknown;
}

/** A log line for people: time, level, message, fields, and an error's stack below. */
export function pretty(json: string): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(json) as Line;
  const clock = paint(90, time.slice(11, 23));
  const name = paint(colours[level] ?? 37, level.toUpperCase().padEnd(5));
  const rest = Object.entries(fields).map(([key, value]) => `${paint(90, `${key}=`)}${shown(value)}`);
  const stack = err ? `\n${err.stack ?? err.message ?? ''}` : '';
  return `${[clock, name, msg, ...rest].join(' ')}${stack}\n`;
}
