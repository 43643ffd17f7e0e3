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

/** Ids joined by '-'. A single id arrives as a number, because the router parses it. */
export function parseIdsParam<Name extends string>(
  search: Search,
  name: Name,
): { [K in Name]?: string } {
  const value = search[name];
  const text = typeof value === 'number' ? String(value) : value;
  const isValid = typeof text === 'string' && /^\d{1,10}(-\d{1,10})*$/.test(text);
  return (isValid ? { [name]: text } : {}) as { [K in Name]?: string };
}

/** One of the values of a parameter; anything else is ignored. */
export function parseChoiceParam<Name extends string, const Values extends readonly string[]>(
  search: Search,
  name: Name,
  values: Values,
): { [K in Name]?: Values[number] } {
  const value = values.find((candidate) => candidate === search[name]);
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Values[number] };
}

/** Text from the URL. Digits arrive as a number, because the router parses them. */
export const readText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Typed text. */
export function parseTextParam<Name extends string>(
  search: Search,
  name: Name,
): { [K in Name]?: string } {
  const text = readText(search[name]).slice(0, 100);
  return (text.trim() === '' ? {} : { [name]: text }) as { [K in Name]?: string };
}

const FAMILY_TABS = ['invoices', 'ways-to-pay', 'people'] as const;

export interface FamilyTabSearch {
  /** If omitted, the entries of the account are shown. */
  tab?: (typeof FAMILY_TABS)[number];
  /** The payment shown in a modal over the account. */
  payment?: number;
}

export function parseFamilyTab(search: Search): FamilyTabSearch {
  const tab = FAMILY_TABS.find((candidate) => candidate === search['tab']);
  return { ...(tab && { tab }), ...parseIdParam(search, 'payment') };
}
