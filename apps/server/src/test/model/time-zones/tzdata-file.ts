import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Parses the system's time zone database (RFC 9636 files, including the footer). It shares no code or data with Intl or
 * Temporal, so it is an independent oracle.
 */
const ZONE_INFO_FOLDER = '/usr/share/zoneinfo';

/** The UTC offsets, in seconds, before and after the instant `at`. */
export interface OffsetTransition {
  at: number;
  before: number;
  after: number;
}

export interface Zone {
  name: string;
  /** The UTC offset before the first transition. */
  initialOffset: number;
  transitions: OffsetTransition[];
}

/** The version of the installed database. */
export function zoneDataVersion(): string {
  const path = join(ZONE_INFO_FOLDER, 'tzdata.zi');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(
      `The time zone oracle needs the zone database, but ${path} is missing (apt-get install tzdata).`,
    );
  }
  const version = /^# version (\S+)/.exec(text)?.[1];
  if (!version) throw new Error(`${path} has no version line`);
  return version;
}

/** The zone with its transitions between two years, or undefined if the installed version does not include the zone. */
export function readZone(name: string, fromYear: number, toYear: number): Zone | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(ZONE_INFO_FOLDER, name));
  } catch {
    return undefined;
  }
  const { first, transitions, footer } = parseFile(bytes, name);
  const lastListed = transitions.at(-1);
  const rest = footerTransitions(footer, fromYear, toYear).filter(
    (change) => lastListed === undefined || change.at > lastListed.at,
  );
  const all = [...transitions];
  for (const { at, after } of rest) {
    const before = all.at(-1)?.after ?? first;
    if (before !== after) all.push({ at, before, after });
  }
  const [from, to] = [Date.UTC(fromYear, 0, 1) / 1000, Date.UTC(toYear + 1, 0, 1) / 1000];
  const inRange = all.filter((change) => change.at >= from && change.at < to);
  const earlier = all.findLast((change) => change.at < from);
  return { name, initialOffset: earlier?.after ?? first, transitions: inRange };
}

function parseFile(bytes: Buffer, name: string) {
  if (bytes.toString('latin1', 0, 4) !== 'TZif' || bytes.toString('latin1', 4, 5) < '2') {
    throw new Error(`${name} is not a zone file of version 2 or later`);
  }
  const secondBlock = blockEnd(bytes, 0, 4);
  const { times, types, leaps, chars, isStd, isUt } = readHeader(bytes, secondBlock);
  if (leaps !== 0) throw new Error(`${name} has leap seconds`);
  const timesAt = secondBlock + 44;
  const indexesAt = timesAt + times * 8;
  const typesAt = indexesAt + times;
  const offsets = Array.from({ length: types }, (_, index) =>
    bytes.readInt32BE(typesAt + index * 6),
  );
  const first = offsets[0] ?? 0;
  const transitions: OffsetTransition[] = [];
  let before = first;
  for (let index = 0; index < times; index++) {
    const at = Number(bytes.readBigInt64BE(timesAt + index * 8));
    const after = offsets[bytes.readUInt8(indexesAt + index)] ?? 0;
    if (after !== before) transitions.push({ at, before, after });
    before = after;
  }
  const footerAt = typesAt + types * 6 + chars + isStd + isUt;
  const footer = bytes.toString('latin1', footerAt).split('\n')[1] ?? '';
  return { first, transitions, footer };
}

function readHeader(bytes: Buffer, at: number) {
  const count = (index: number) => bytes.readUInt32BE(at + 20 + index * 4);
  return {
    isUt: count(0),
    isStd: count(1),
    leaps: count(2),
    times: count(3),
    types: count(4),
    chars: count(5),
  };
}

/** The position where a data block ends; `width` is the number of bytes per time. */
function blockEnd(bytes: Buffer, at: number, width: number): number {
  const { isUt, isStd, leaps, times, types, chars } = readHeader(bytes, at);
  return at + 44 + times * (width + 1) + types * 6 + chars + leaps * (width + 4) + isStd + isUt;
}

const FOOTER =
  /^(?:<[^>]+>|[A-Za-z]+)([-+\d:]+)(?:(?:<[^>]+>|[A-Za-z]+)([-+\d:]+)?,(M[\d.]+|J?\d+)(?:\/([-+\d:]+))?,(M[\d.]+|J?\d+)(?:\/([-+\d:]+))?)?$/;

/** The transitions in these years according to the POSIX TZ rule at the end of the file, in order. */
function footerTransitions(footer: string, fromYear: number, toYear: number) {
  if (footer === '') return [];
  const parts = FOOTER.exec(footer);
  if (!parts) throw new Error(`Cannot parse the rule "${footer}"`);
  const [, standardText = '', summerText, start, startTime, end, endTime] = parts;
  // POSIX offsets are positive west of UTC.
  const standard = -parseSeconds(standardText);
  if (!start || !end) return [];
  const summer = summerText ? -parseSeconds(summerText) : standard + 3600;
  const transitions: { at: number; after: number }[] = [];
  for (let year = fromYear - 1; year <= toYear + 1; year++) {
    const startAt = ruleDate(start, year) + parseSeconds(startTime ?? '2') - standard;
    const endAt = ruleDate(end, year) + parseSeconds(endTime ?? '2') - summer;
    transitions.push({ at: startAt, after: summer }, { at: endAt, after: standard });
  }
  return transitions.toSorted((a, b) => a.at - b.at);
}

function parseSeconds(text: string): number {
  const [hours = '0', minutes = '0', secs = '0'] = text.replace(/^[-+]/, '').split(':');
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(secs);
  return text.startsWith('-') ? -total : total;
}

const DAY = 86_400;

/** Midnight on the rule's day ("M3.5.0", "J59" or "58") in that year, in seconds as if it were UTC. */
function ruleDate(rule: string, year: number): number {
  const newYear = Date.UTC(year, 0, 1) / 1000;
  if (!rule.startsWith('M')) {
    const isLeapYear = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
    if (!rule.startsWith('J')) return newYear + Number(rule) * DAY;
    const day = Number(rule.slice(1));
    return newYear + (day - 1 + (isLeapYear && day >= 60 ? 1 : 0)) * DAY;
  }
  const [month = 1, week = 1, weekday = 0] = rule.slice(1).split('.').map(Number);
  const first = Date.UTC(year, month - 1, 1) / 1000;
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const daysToWeekday = (weekday - new Date(first * 1000).getUTCDay() + 7) % 7;
  let day = 1 + daysToWeekday + (week - 1) * 7;
  while (day > length) day -= 7;
  return first + (day - 1) * DAY;
}
