import type { TimeOff } from '@lessonbook/contract/time-off';

export interface TimeSlot {
  date: string;
  startTime: string;
  endTime: string;
}

export const timeOffOn = (timeOff: readonly TimeOff[], date: string): TimeOff[] =>
  timeOff.filter(({ fromDate, toDate }) => fromDate <= date && date <= toDate);

/** The reason, or 'Time off'. */
export const timeOffLabel = ({ reason }: Pick<TimeOff, 'reason'>): string => reason || 'Time off';

export const timeOffDuring = (
  timeOff: readonly TimeOff[],
  { date, startTime, endTime }: TimeSlot,
): TimeOff[] =>
  timeOffOn(timeOff, date).filter(
    (entry) =>
      entry.startTime === null ||
      entry.endTime === null ||
      (startTime < entry.endTime && endTime > entry.startTime),
  );

/** ', time off: Half-term', for screen readers. */
export const timeOffSuffix = (timeOff: readonly TimeOff[]): string =>
  timeOff.length === 0 ? '' : `, time off: ${timeOff.map(timeOffLabel).join(', ')}`;
