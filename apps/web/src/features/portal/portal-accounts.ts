import type { PortalCharge } from '@lessonbook/contract/portal-money';
import { formatDayMonth, formatList, formatShortDate } from '../../lib/format.ts';

export interface ChargeGroup {
  key: string;
  /** 'Maya, Maths lesson' */
  name: string;
  dates: string[];
  outstanding: number;
  charges: PortalCharge[];
}

/** One row for each student and kind of lesson, in the order of the first date. */
export function groupCharges(charges: readonly PortalCharge[]): ChargeGroup[] {
  const groups = new Map<string, ChargeGroup>();
  for (const charge of charges) {
    const { studentName, description, date, outstanding } = charge;
    const name = [studentName, description].filter(Boolean).join(', ');
    const group = groups.get(name) ?? {
      key: name,
      name,
      dates: [],
      outstanding: 0,
      charges: [],
    };
    group.dates.push(date);
    group.outstanding += outstanding;
    group.charges.push(charge);
    groups.set(name, group);
  }
  return [...groups.values()];
}

const MAX_DATES = 4;

/** 'Tue 3 Nov and Tue 10 Nov', or '6 between 3 Nov and 8 Dec' if there are many. */
export function formatDates(dates: readonly string[], today: string): string {
  const sorted = dates.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (sorted.length <= MAX_DATES || !first || !last)
    return formatList([...new Set(sorted)].map((date) => formatShortDate(date, today)));
  return `${sorted.length} between ${formatDayMonth(first, today)} and ${formatDayMonth(last, today)}`;
}

/** The first due date; null if nothing has one. */
export const payByDate = (charges: readonly PortalCharge[]): string | null =>
  charges.flatMap(({ dueOn }) => dueOn ?? []).toSorted()[0] ?? null;
