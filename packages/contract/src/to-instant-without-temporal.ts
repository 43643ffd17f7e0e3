import { memoize } from './memoize.ts';
import { dateInZone } from './time.ts';

const DAY_MS = 86_400_000;

const clockFormatFor = memoize(
  (timeZone) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      numberingSystem: 'latn',
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

/**
 * The instant of a local time, for the browser; the server uses Temporal. A time that a clock change skips is moved forward;
 * for a time that occurs twice, the first instant is used.
 */
export function toInstantInBrowser(timeZone: string, date: string, time: string): Date {
  const asUtc = Date.parse(`${date}T${time.slice(0, 5)}Z`);
  const offsetAt = (epochMs: number) => {
    const instant = new Date(epochMs);
    const local = `${dateInZone(timeZone, instant)}T${clockFormatFor(timeZone).format(instant)}Z`;
    return Date.parse(local) - epochMs;
  };
  const [before, after] = [offsetAt(asUtc - DAY_MS), offsetAt(asUtc + DAY_MS)];
  const candidates = [asUtc - before, asUtc - after];
  const found = candidates.find((epochMs) => epochMs + offsetAt(epochMs) === asUtc);
  return new Date(found ?? asUtc - before);
}
