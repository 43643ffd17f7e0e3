import type { ScheduleSearch } from '../../pages/ScheduleView.tsx';

interface ReportsSearch {
  show?: 'owed';
  period?: string;
}

/** Search parameters for the outbox, or for the message log of one or all families. */
interface MessagesSearch {
  show?: 'sent';
  family?: number;
}

interface InvoicesSearch {
  /** Filters by payer. */
  family?: number;
  state?: 'draft' | 'open' | 'overdue' | 'paid';
}

/**
 * The ids of the drafts created for all families and of those already issued, so that a reload returns to the review.
 */
interface BulkInvoiceSearch {
  drafts?: string;
  issued?: string;
}

/* Only checks the format: the landing page loads this file too, and a full check would load the date arithmetic. */
const DATE_PATTERN = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** The selected day; an invalid value is ignored. */
export function parseDateSearch(search: Record<string, unknown>): { date?: string } {
  const { date } = search;
  return typeof date === 'string' && DATE_PATTERN.test(date) ? { date } : {};
}

export function parseScheduleSearch(search: Record<string, unknown>): ScheduleSearch {
  const { view, board } = search;
  return {
    ...parseDateSearch(search),
    ...((view === 'students' || view === 'subjects') && { view }),
    ...(board === 'week' && { board }),
  };
}

/** Our ids are positive integers. */
function parseIdParam<Name extends string>(
  search: Record<string, unknown>,
  name: Name,
): { [K in Name]?: number } {
  const id = Number(search[name]);
  return Number.isInteger(id) && id > 0 ? ({ [name]: id } as { [K in Name]?: number }) : {};
}

/** A lesson is opened from one of its sessions, whose id is kept in the URL. */
export const parseSessionSearch = (search: Record<string, unknown>) =>
  parseIdParam(search, 'session');

/** The payment shown in a modal over the account page. */
export const parsePaymentSearch = (search: Record<string, unknown>) =>
  parseIdParam(search, 'payment');

/** 'student-7' or 'carer-3'. */
export function parsePersonSearch({ person }: Record<string, unknown>): { person?: string } {
  return typeof person === 'string' && /^(student|carer)-\d{1,10}$/.test(person) ? { person } : {};
}

/** Only checks the type; the page checks the period. */
export function parseReportsSearch(search: Record<string, unknown>): ReportsSearch {
  const { show, period } = search;
  return {
    ...(show === 'owed' && { show }),
    ...(typeof period === 'string' && { period }),
  };
}

export const parseMessagesSearch = (search: Record<string, unknown>): MessagesSearch => ({
  ...parseIdParam(search, 'family'),
  ...(search['show'] === 'sent' && { show: 'sent' }),
});

const INVOICE_STATES = ['draft', 'open', 'overdue', 'paid'] as const;

export function parseInvoicesSearch(search: Record<string, unknown>): InvoicesSearch {
  const state = INVOICE_STATES.find((candidate) => candidate === search['state']);
  return {
    ...parseIdParam(search, 'family'),
    ...(state && { state }),
  };
}

/** A single id arrives as a number, because the router parses it. */
export function parseBulkInvoiceSearch(search: Record<string, unknown>): BulkInvoiceSearch {
  const parseIds = (name: 'drafts' | 'issued') => {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') return {};
    return /^\d{1,10}(-\d{1,10})*$/.test(text) && { [name]: text };
  };
  return { ...parseIds('drafts'), ...parseIds('issued') };
}
