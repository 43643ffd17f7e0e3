import type { PortalCharge } from '@lessonbook/contract/portal-charges-and-invoices';
import { formatAmount, formatDayMonth, formatList, formatShortDate } from '../../lib/format.ts';

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

/** 'Tue 3 Nov and Tue 10 Nov', or '6 dates from 3 Nov to 8 Dec' if there are many. */
export function formatDates(dates: readonly string[], today: string): string {
  const sorted = dates.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (sorted.length <= MAX_DATES || !first || !last)
    return formatList([...new Set(sorted)].map((date) => formatShortDate(date, today)));
  return `${sorted.length} dates from ${formatDayMonth(first, today)} to ${formatDayMonth(last, today)}`;
}

/**
 * When the charges of one currency are due: 'To pay by Mon 30 Nov'. With several dates, `details` says how much is due when:
 * '£118.00 was due Fri 11 Sep. £38.00 has not been invoiced yet.'
 */
export function describeDueDates(
  charges: readonly PortalCharge[],
  today: string,
): { title: string; details: string | null } {
  const isLate = (date: string) => date < today;
  const byDate = [...Map.groupBy(charges, ({ dueOn }) => dueOn)].toSorted(([a], [b]) =>
    (a ?? '9').localeCompare(b ?? '9'),
  );
  const first = byDate[0]?.[0] ?? null;
  if (first === null) return { title: 'To pay', details: null };
  if (byDate.length === 1) {
    const title = `${isLate(first) ? 'Was due' : 'To pay by'} ${formatShortDate(first, today)}`;
    return { title, details: null };
  }
  const details = byDate.map(([date, due]) => {
    const [{ currency }] = due as [PortalCharge];
    const sum = due.reduce((total, { outstanding }) => total + outstanding, 0);
    const amount = formatAmount(sum, currency, true);
    if (date === null) return `${amount} has not been invoiced yet.`;
    return `${amount} ${isLate(date) ? 'was' : 'is'} due ${formatShortDate(date, today)}.`;
  });
  return { title: 'To pay', details: details.join(' ') };
}
