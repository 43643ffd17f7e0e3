import ICAL from 'ical.js';
import type { Browser } from './browser-client.ts';

/*
 * Reads the feed with an independent library. The library has time zone data only for UTC, so it converts local times with
 * the VTIMEZONE components in the file.
 */

export interface IcsEvent {
  uid: string;
  sequence: number;
  stamp: string;
  status: string;
  summary: string;
  location: string | null;
  url: string;
  start: Date;
  end: Date;
  /** DTSTART as written in the file, and its TZID (null for UTC). */
  rawStart: string;
  zone: string | null;
}

export interface ParsedCalendar {
  name: string;
  zones: string[];
  events: IcsEvent[];
}

export function parseIcs(file: string): ParsedCalendar {
  ICAL.TimezoneService.reset();
  const root = new ICAL.Component(ICAL.parse(file) as unknown[]);
  const zones = root.getAllSubcomponents('vtimezone').map((component) => {
    const zone = new ICAL.Timezone(component);
    ICAL.TimezoneService.register(zone);
    return zone.tzid;
  });
  const events = root.getAllSubcomponents('vevent').map((event) => toIcsEvent(event));
  return { name: String(root.getFirstPropertyValue('x-wr-calname')), zones, events };
}

function toIcsEvent(event: ICAL.Component): IcsEvent {
  const value = (name: string) => event.getFirstPropertyValue(name);
  const start = value('dtstart') as ICAL.Time;
  const zone = event.getFirstProperty('dtstart')?.getParameter('tzid') ?? null;
  return {
    uid: String(value('uid')),
    sequence: Number(value('sequence')),
    stamp: String(value('dtstamp')),
    status: String(value('status')),
    summary: String(value('summary')),
    location: value('location') as string | null,
    url: String(value('url')),
    start: toInstant(start),
    end: toInstant(value('dtend') as ICAL.Time),
    rawStart: start.toString(),
    zone: zone === null ? null : String(zone),
  };
}

/** Without a VTIMEZONE, the library would use the machine's time zone. */
function toInstant(time: ICAL.Time): Date {
  if (time.isDate) return new Date(`${time.toString()}T00:00:00Z`);
  if (time.zone === ICAL.Timezone.localTimezone) throw new Error(`${time.toString()} has no zone`);
  return new Date(time.toUnixTime() * 1000);
}

export const pathOf = (url: string): string => new URL(url).pathname;

export async function getFeedPath(browser: Browser): Promise<string> {
  const response = await browser.send('POST', '/api/calendar/feed');
  if (response.status !== 200) throw new Error(`${response.status}: ${response.error.message}`);
  return pathOf((response.body as { url: string }).url);
}

/** Throws if a line does not end with CRLF. */
export function splitIcsLines(file: string): string[] {
  const lines = file.split('\r\n');
  if (lines.pop() !== '' || lines.some((line) => /[\r\n]/.test(line)))
    throw new Error('A line does not end with CRLF');
  return lines;
}
