import { isTimeZone } from '@lessonbook/contract/time';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';

/** The lesson fields that a calendar event provides, in the order of the row's cells. */
export const ICS_FIELDS = [
  'student',
  'subject',
  'date',
  'start',
  'end',
  'repeats',
  'until',
  'place',
] as const;

/** Limits the work of comparing each title with the name of every student. */
const MAX_TEXT = 200;

export interface IcsRow {
  row: number;
  cells: string[];
  /** Notes on what is not imported from the event. */
  notes: string[];
}

/** Null if the text is not a calendar. */
export function readIcs(text: string, timeZone: string): IcsRow[] | null {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) return null;
  // The library stores time zones globally; this function is synchronous, so nothing else uses them in the meantime.
  ICAL.TimezoneService.reset();
  for (const zone of readComponents(text, 'VTIMEZONE'))
    if (zone) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  const rows = readComponents(text, 'VEVENT')
    .map((event, index) => toRowOrEmpty(event, index + 1, timeZone))
    .filter((row) => row !== null);
  ICAL.TimezoneService.reset();
  return rows;
}

/** Parses each component separately, so that a malformed one, which becomes null, does not affect the others. */
const readComponents = (text: string, name: string): (ICAL.Component | null)[] =>
  text
    .split(new RegExp(`^BEGIN:${name}\\s*$`, 'im'))
    .slice(1)
    .map((rest) => {
      const [lines = ''] = rest.split(new RegExp(`^END:${name}\\s*$`, 'im'));
      try {
        const parsed = ICAL.parse(`BEGIN:${name}\r\n${lines.trim()}\r\nEND:${name}`);
        return new ICAL.Component(parsed as unknown[]);
      } catch {
        return null;
      }
    });

/** An event that cannot be read becomes a row with errors. A cancelled one is left out. */
function toRowOrEmpty(event: ICAL.Component | null, row: number, timeZone: string): IcsRow | null {
  try {
    if (String(event?.getFirstPropertyValue('status')).toUpperCase() === 'CANCELLED') return null;
    return event ? toRow(event, row, timeZone) : { row, cells: [], notes: [] };
  } catch {
    return { row, cells: [], notes: [] };
  }
}

function toRow(event: ICAL.Component, row: number, timeZone: string): IcsRow {
  const text = (name: string) =>
    String(event.getFirstPropertyValue(name) ?? '')
      .trim()
      .slice(0, MAX_TEXT);
  const start = event.getFirstPropertyValue('dtstart') as ICAL.Time | null;
  const end = new ICAL.Event(event).endDate as ICAL.Time | null;
  const zone = String(event.getFirstProperty('dtstart')?.getParameter('tzid') ?? '');
  const [from, to] = [toLocal(start, timeZone, zone), toLocal(end, timeZone, zone)];
  const { repeats, until, notes } = readRule(event, from?.date ?? '', timeZone);
  const exceptions = event.getAllProperties('exdate').length;
  return {
    row,
    cells: [
      text('summary'),
      text('summary'),
      from?.date ?? '',
      from?.time ?? '',
      from && to && to.date === from.date ? to.time : '',
      repeats,
      until,
      text('location'),
    ],
    notes: [
      ...notes,
      ...(exceptions > 0 ? ['Dates you removed from this series will be imported as well'] : []),
    ],
  };
}

/** The wall-clock time in the tutor's time zone; the time is empty for an all-day event. */
function toLocal(
  time: ICAL.Time | null,
  timeZone: string,
  zoneName = '',
): { date: string; time: string } | null {
  if (!time) return null;
  const written = time.toString();
  const hasZone = time.zone && time.zone.tzid !== 'floating';
  if (time.isDate || (!hasZone && !isTimeZone(zoneName)))
    return { date: written.slice(0, 10), time: written.slice(11, 16) };
  // Files that do not define their time zone usually use its name in the time zone database.
  const instant = hasZone
    ? Temporal.Instant.fromEpochMilliseconds(time.toJSDate().getTime())
    : Temporal.PlainDateTime.from(written).toZonedDateTime(zoneName).toInstant();
  const local = instant.toZonedDateTimeISO(timeZone).toString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

interface SeriesRule {
  repeats: string;
  until: string;
  notes: string[];
}

const ONCE: SeriesRule = { repeats: '', until: '', notes: [] };

/** Weekly, fortnightly and monthly rules. For any other rule, only the first date is imported. */
function readRule(event: ICAL.Component, first: string, timeZone: string): SeriesRule {
  const rule = event.getFirstPropertyValue('rrule') as ICAL.Recur | null;
  if (!rule) return ONCE;
  const days = rule.parts.BYDAY ?? [];
  const pattern = toPattern(rule);
  const isSimple = days.length <= 1 && days.every((day) => !/\d/.test(day));
  if (!pattern || !isSimple || first === '')
    return {
      ...ONCE,
      notes: ["This repeat pattern can't be imported, so only this date will be added"],
    };
  const until = rule.until
    ? (toLocal(rule.until, timeZone)?.date ?? '')
    : rule.count
      ? findLastDate(first, pattern, rule.count)
      : '';
  return { repeats: pattern, until, notes: [] };
}

function toPattern({ freq, interval }: ICAL.Recur): string | null {
  if (freq === 'WEEKLY' && interval <= 2) return interval === 2 ? 'fortnightly' : 'weekly';
  return freq === 'MONTHLY' && interval === 1 ? 'monthly' : null;
}

function findLastDate(first: string, pattern: string, count: number): string {
  const start = Temporal.PlainDate.from(first);
  const steps = Math.min(count, 1000) - 1;
  if (pattern === 'monthly') return start.add({ months: steps }).toString();
  return start.add({ weeks: steps * (pattern === 'weekly' ? 1 : 2) }).toString();
}
