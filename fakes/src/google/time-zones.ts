const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  return format;
}

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

const MINUTE = 60_000;
const DAY = 86_400_000;

const QUARTER = 15 * MINUTE;
const offsets = new Map<string, number>();

/** How far the zone's clocks are ahead of UTC at that moment. Clocks change on the quarter hour, so it is looked up once for each. */
function offsetMillis(zone: string, instant: number): number {
  const key = `${zone} ${Math.floor(instant / QUARTER)}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = lookUp(zone, instant);
    if (offsets.size > 50_000) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

function lookUp(zone: string, instant: number): number {
  const parts = formatOf(zone).formatToParts(instant);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const found = /GMT(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)/.exec(name)?.groups;
  if (!found) return 0;
  const minutes = Number(found['hours']) * 60 + Number(found['minutes']);
  return (found['sign'] === '-' ? -1 : 1) * minutes * MINUTE;
}

/** The moment when the zone's clocks show this; twice shown means the first, never shown the one after the gap. */
export function toInstant(local: string, zone: string): number {
  const shown = Date.parse(`${local}Z`);
  const before = offsetMillis(zone, shown - DAY);
  const after = offsetMillis(zone, shown + DAY);
  if (offsetMillis(zone, shown - before) === before) return shown - before;
  return offsetMillis(zone, shown - after) === after ? shown - after : shown - before;
}

/** What the zone's clocks show, without its offset. */
export function localTime(instant: number, zone: string): string {
  return new Date(instant + offsetMillis(zone, instant)).toISOString().slice(0, 19);
}

/** As Google writes times: what the zone's clocks show, with its offset. */
export function withOffset(instant: number, zone: string): string {
  const minutes = offsetMillis(zone, instant) / MINUTE;
  if (minutes === 0) return `${localTime(instant, zone)}Z`;
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const ahead = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${pad(ahead / 60)}:${pad(ahead % 60)}`;
  return `${localTime(instant, zone)}${offset}`;
}
