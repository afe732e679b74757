import { z } from 'zod';
import { dayStart, parseIsoTime } from './iso-time';
import { type AttributeKind, type Checked, UnfitValue } from './kind';

const options = z.object({ default: z.unknown().optional() });

type Reading = { readonly value: string } | { readonly unreadable: string };

/** A day; what stands behind it is cut off. */
function readDate(given: unknown): Reading {
  const found = typeof given === 'string' ? /^(\d{4})-(\d{2})-(\d{2})/.exec(given) : null;
  const [month, date] = [Number(found?.[2]), Number(found?.[3])];
  if (!found || month < 1 || month > 12 || date < 1 || date > 31)
    return { unreadable: 'Invalid format, expected yyyy-MM-dd' };
  return dayStart(Number(found[1]), month, date) === undefined ? { unreadable: 'Invalid date' } : { value: found[0] };
}

function readTime(given: unknown): Reading {
  if (typeof given !== 'string') return { unreadable: `Expected a string, got a ${typeof given}` };
  const found = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/.exec(given);
  if (!found) return { unreadable: 'Invalid time format, expected HH:mm:ss.SSS' };
  return { value: `${given.slice(0, 8)}.${(found[4] ?? '').padEnd(3, '0')}` };
}

const latest = 253_402_300_799_999;
const earliest = -62_167_219_200_000;

/** Epoch milliseconds, as number or text, once it isn't an ISO date. */
const epoch = (given: unknown): number | undefined => {
  const text = String(given);
  return /^-?\d+$/.test(text) && Math.abs(Number(text)) <= 8.64e15 ? Number(text) : undefined;
};

function readDatetime(given: unknown): Reading {
  const isPlain = typeof given === 'string' || typeof given === 'number';
  const time = isPlain ? (parseIsoTime(String(given)) ?? epoch(given)) : undefined;
  if (time === undefined || time > latest || time < earliest)
    return { unreadable: 'Invalid format, expected a timestamp or an ISO date' };
  return { value: new Date(time).toISOString() };
}

function readFilter(read: (given: unknown) => Reading) {
  return (given: unknown): string => {
    const reading = read(given);
    if ('unreadable' in reading) throw new UnfitValue(reading.unreadable);
    return reading.value;
  };
}

function timeKind(name: 'date' | 'time' | 'datetime' | 'timestamp', read: (given: unknown) => Reading): AttributeKind {
  return {
    name,
    storage: name,
    options,
    check:
      () =>
      (given): Checked =>
        read(given),
    toFilter: readFilter(read),
  };
}

export const timeKinds: readonly AttributeKind[] = [
  timeKind('date', readDate),
  timeKind('time', readTime),
  timeKind('datetime', readDatetime),
  timeKind('timestamp', readDatetime),
];
