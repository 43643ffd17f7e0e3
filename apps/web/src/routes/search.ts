/* Search parameters that several pages share. Only the format is checked: a full check of a date would load the date
   arithmetic with every page. */

type Search = Record<string, unknown>;

const DATE_PATTERN = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** The selected day; an invalid value is ignored. */
export function parseDateSearch({ date }: Search): { date?: string } {
  return typeof date === 'string' && DATE_PATTERN.test(date) ? { date } : {};
}

/** Our ids are positive integers. */
export function parseIdParam<Name extends string>(
  search: Search,
  name: Name,
): { [K in Name]?: number } {
  const id = Number(search[name]);
  return Number.isInteger(id) && id > 0 ? ({ [name]: id } as { [K in Name]?: number }) : {};
}

/** A lesson is opened from one of its sessions, whose id is kept in the URL. */
export const parseSessionSearch = (search: Search) => parseIdParam(search, 'session');
