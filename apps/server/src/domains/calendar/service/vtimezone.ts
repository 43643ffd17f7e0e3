import { formatLocal } from '../../../platform/files/icalendar-format.ts';
import {
  localTimeAtTransition,
  type OffsetTransition,
  type ZoneOffsets,
} from '../rules/timezone-transitions.ts';

/** "+0100" */
function formatOffset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000;
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${twoDigits(minutes / 60)}${twoDigits(minutes % 60)}`;
}

/** Lists each transition instead of using a recurrence rule, so that the offsets are exact for the range of the feed. */
export function vtimezoneLines({ timeZone, initialOffset, transitions }: ZoneOffsets): string[] {
  const kindOf = ({ before, after }: OffsetTransition) =>
    after > before ? 'DAYLIGHT' : 'STANDARD';
  const [next] = transitions;
  const initialKind = next && kindOf(next) === 'STANDARD' ? 'DAYLIGHT' : 'STANDARD';
  const observance = (kind: string, localStart: string, before: number, after: number) => [
    `BEGIN:${kind}`,
    `DTSTART:${formatLocal(localStart)}`,
    `TZOFFSETFROM:${formatOffset(before)}`,
    `TZOFFSETTO:${formatOffset(after)}`,
    `END:${kind}`,
  ];
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    ...observance(initialKind, '1970-01-01T00:00:00', initialOffset, initialOffset),
    ...transitions.flatMap((transition) =>
      observance(
        kindOf(transition),
        localTimeAtTransition(transition),
        transition.before,
        transition.after,
      ),
    ),
    'END:VTIMEZONE',
  ];
}
