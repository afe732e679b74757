const dayForm =
  /^(?:(\d{2})|([+-]\d{6}|\d{4})(?:-?W(\d{2})(?:-?(\d))?|-?(\d{3})|-(\d{2})(?:-(\d{2}))?|(\d{2})(\d{2})?)?)$/;
const hourForm = /^(?:(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

const day = 86_400_000;

/** The first moment of a day, or undefined for a day that does not exist. */
export function dayStart(year: number, month: number, date: number): number | undefined {
  const time = new Date(0).setUTCFullYear(year, month - 1, date);
  const made = new Date(time);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === date ? time : undefined;
}

function weekStart(year: number, week: number, weekday: number): number | undefined {
  if (week < 1 || week > 53 || weekday < 1 || weekday > 7) return undefined;
  const fourth = dayStart(year, 1, 4)!;
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day;
  return monday + ((week - 1) * 7 + weekday - 1) * day;
}

function parseDay(text: string): number | undefined {
  const found = dayForm.exec(text);
  if (!found) return undefined;
  const [, century, years, week, weekday, ordinal, month, date, plainMonth, plainDate] = found;
  const year = century === undefined ? Number(years) : Number(century) * 100;
  if (week !== undefined) return weekStart(year, Number(week), Number(weekday ?? 1));
  if (ordinal === undefined) return dayStart(year, Number(month ?? plainMonth ?? 1), Number(date ?? plainDate ?? 1));
  const time = dayStart(year, 1, 1)! + (Number(ordinal) - 1) * day;
  return new Date(time).getUTCFullYear() === year && Number(ordinal) > 0 ? time : undefined;
}

function zoneOffset(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function parseHours(text: string): number | undefined {
  const found = hourForm.exec(text);
  if (!found) return undefined;
  const [hours, minutes, seconds] = [found[1], found[2], found[3]].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  const offset = zoneOffset(found[5]);
  const isMidnight = hours === 24 && minutes === 0 && seconds === 0;
  if (offset === undefined || minutes > 59 || seconds > 59 || (hours > 23 && !isMidnight)) return undefined;
  return (hours * 3600 + minutes * 60 + seconds) * 1000 + Number((found[4] ?? '').slice(0, 3).padEnd(3, '0')) - offset;
}

/** An ISO 8601 date with or without time, in UTC unless it names a zone, as epoch milliseconds; undefined for none. */
export function parseIsoTime(text: string): number | undefined {
  const separator = text.search(/[T ]/);
  if (separator < 0) return parseDay(text.endsWith('Z') ? text.slice(0, -1) : text);
  const start = parseDay(text.slice(0, separator));
  const hours = parseHours(text.slice(separator + 1));
  return start === undefined || hours === undefined ? undefined : start + hours;
}
