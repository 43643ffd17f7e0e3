export interface TermRange {
  fromDate: string;
  toDate: string;
}

/** The terms that a series follows; null if it takes place all year. */
export type Terms = readonly TermRange[] | null;

export const isInTerm = (terms: Terms, date: string): boolean =>
  terms === null || terms.some(({ fromDate, toDate }) => fromDate <= date && date <= toDate);

/** The dates between the terms. Later dates are left out, because their terms may not have been entered yet. */
export function datesOutsideTerms(terms: Terms, dates: readonly string[]): string[] {
  const lastDay =
    (terms ?? [])
      .map(({ toDate }) => toDate)
      .toSorted()
      .at(-1) ?? '';
  return dates.filter((date) => date <= lastDay && !isInTerm(terms, date));
}
