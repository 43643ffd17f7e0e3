import ICAL from 'ical.js';
import type { Browser } from './browser.ts';

/*
 * The feed as a calendar program reads it: by a library that is not ours, which knows no zone but UTC and so has to read
 * times on the wall by the clock changes that the file itself brings along.
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
  /** The start as it stands in the file, and the zone it names; none where it is in UTC. */
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
  const appointments = root.getAllSubcomponents('vevent').map((event) => toIcsEvent(event));
  return { name: String(root.getFirstPropertyValue('x-wr-calname')), zones, events: appointments };
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
    start: instantOf(start),
    end: instantOf(value('dtend') as ICAL.Time),
    rawStart: start.toString(),
    zone: zone === null ? null : String(zone),
  };
}

/** A time whose zone the file does not describe would be read by the clock of this machine: no answer is better. */
function instantOf(time: ICAL.Time): Date {
  if (time.zone === ICAL.Timezone.localTimezone) throw new Error(`${time.toString()} has no zone`);
  return new Date(time.toUnixTime() * 1000);
}

export const pathOf = (url: string): string => new URL(url).pathname;

export async function getFeedPath(browser: Browser): Promise<string> {
  const answer = await browser.send('GET', '/api/calendar/feed');
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.error.message}`);
  return pathOf((answer.body as { url: string }).url);
}

/** One line of the file has at most 75 bytes, and all of them end as the rule says. */
export function splitIcsLines(file: string): string[] {
  const lines = file.split('\r\n');
  if (lines.pop() !== '' || lines.some((line) => /[\r\n]/.test(line))) throw new Error('Bad line');
  return lines;
}
