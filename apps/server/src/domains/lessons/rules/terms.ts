import { addDaysToDate } from '@lessonbook/contract/dates';

export interface TermRange {
  fromDate: string;
  toDate: string;
}

/** The terms that a series follows; null if it takes place all year. */
export type Terms = readonly TermRange[] | null;

export const isInTerm = (terms: Terms, date: string): boolean =>
  terms === null || terms.some(({ fromDate, toDate }) => fromDate <= date && date <= toDate);

/** The dates outside the terms. Dates after the last term are left out, because their term may not have been entered yet. */
export function datesOutsideTerms(terms: Terms, dates: readonly string[]): string[] {
  const lastDay =
    (terms ?? [])
      .map(({ toDate }) => toDate)
      .toSorted()
      .at(-1) ?? '';
  return dates.filter((date) => date <= lastDay && !isInTerm(terms, date));
}

/**
 * The period in which free late cancellations are counted for a date: its term, until the next term begins. If it is unknown,
 * a third of the year: January to April, May to August or September to December.
 */
export function allowancePeriodOn(terms: readonly TermRange[], date: string): TermRange {
  const sorted = terms.toSorted((a, b) => a.fromDate.localeCompare(b.fromDate));
  const index = sorted.findLastIndex(({ fromDate }) => fromDate <= date);
  const [term, next] = [sorted[index], sorted[index + 1]];
  if (term && next) return { fromDate: term.fromDate, toDate: addDaysToDate(next.fromDate, -1) };
  if (term && date <= term.toDate) return term;
  return getThirdOfYear(date);
}

function getThirdOfYear(date: string): TermRange {
  const year = date.slice(0, 4);
  const month = date.slice(5, 7);
  if (month <= '04') return { fromDate: `${year}-01-01`, toDate: `${year}-04-30` };
  if (month <= '08') return { fromDate: `${year}-05-01`, toDate: `${year}-08-31` };
  return { fromDate: `${year}-09-01`, toDate: `${year}-12-31` };
}
