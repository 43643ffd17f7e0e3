const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  return format;
}

export function isTimeZone(zone: string): boolean {
  try {
    getFormat(zone);
    return true;
  } catch {
    return false;
  }
}

const MINUTE = 60_000;
const DAY = 86_400_000;

const QUARTER = 15 * MINUTE;
const offsets = new Map<string, number>();

/** The zone's UTC offset at that instant. Offsets change on the quarter hour, so one lookup per quarter is cached. */
function getOffsetMillis(zone: string, instant: number): number {
  const key = `${zone} ${Math.floor(instant / QUARTER)}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = computeOffset(zone, instant);
    if (offsets.size > 50_000) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

function computeOffset(zone: string, instant: number): number {
  const parts = getFormat(zone).formatToParts(instant);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const found = /GMT(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)/.exec(name)?.groups;
  if (!found) return 0;
  const minutes = Number(found['hours']) * 60 + Number(found['minutes']);
  return (found['sign'] === '-' ? -1 : 1) * minutes * MINUTE;
}

/** Converts a local time to an instant: the first one if the time occurs twice, one after the gap if it does not exist. */
export function toInstant(local: string, zone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const before = getOffsetMillis(zone, asUtc - DAY);
  const after = getOffsetMillis(zone, asUtc + DAY);
  if (getOffsetMillis(zone, asUtc - before) === before) return asUtc - before;
  return getOffsetMillis(zone, asUtc - after) === after ? asUtc - after : asUtc - before;
}

/** Local time without offset. */
export function formatLocalTime(instant: number, zone: string): string {
  return new Date(instant + getOffsetMillis(zone, instant)).toISOString().slice(0, 19);
}

/** Local time with offset, as Google formats it. */
export function formatWithOffset(instant: number, zone: string): string {
  const minutes = getOffsetMillis(zone, instant) / MINUTE;
  if (minutes === 0) return `${formatLocalTime(instant, zone)}Z`;
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const absolute = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${pad(absolute / 60)}:${pad(absolute % 60)}`;
  return `${formatLocalTime(instant, zone)}${offset}`;
}
