import type { TimeOff } from '@lessonbook/contract/time-off';
import { shortDate, timeRange } from '../../lib/format.ts';

/** 'Mon 21 Dec to Fri 1 Jan 2027', 'Tue 17 Nov, 09:00–12:00' */
export function timeOffInWords(off: TimeOff, today: string): string {
  const days =
    off.fromDate === off.toDate
      ? shortDate(off.fromDate, today)
      : `${shortDate(off.fromDate, today)} to ${shortDate(off.toDate, today)}`;
  return off.startTime && off.endTime ? `${days}, ${timeRange(off.startTime, off.endTime)}` : days;
}
