import type { ScheduleSearch } from '../../pages/ScheduleView.tsx';

/** What stands in the address of the reports. */
interface ReportsSearch {
  show?: 'owed';
  period?: string;
}

/** What the address says about the messages: those still to send, or the log, of all or of one family. */
interface MessagesSearch {
  show?: 'sent';
  family?: number;
}

/** What stands in the address of the list of invoices. */
interface InvoicesSearch {
  /** Only this payer's. */
  family?: number;
  state?: 'draft' | 'open' | 'overdue' | 'paid';
}

/** The drafts that were made for everyone, and later what was issued of them: so a reload keeps the review. */
interface BulkInvoiceSearch {
  drafts?: string;
  issued?: string;
}

/* By shape alone: the landing page loads this too, and the arithmetic of dates would come with the real check. */
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** The chosen day stands in the address; anything else there is as good as nothing. */
export function daySearch(search: Record<string, unknown>): { date?: string } {
  const { date } = search;
  return typeof date === 'string' && DAY.test(date) ? { date } : {};
}

export function scheduleSearch(search: Record<string, unknown>): ScheduleSearch {
  const { view, board } = search;
  return {
    ...daySearch(search),
    ...((view === 'students' || view === 'subjects') && { view }),
    ...(board === 'week' && { board }),
  };
}

/** A whole number above nought, which is what our ids are. */
function parseId<Name extends string>(
  search: Record<string, unknown>,
  name: Name,
): { [K in Name]?: number } {
  const id = Number(search[name]);
  return Number.isInteger(id) && id > 0 ? ({ [name]: id } as { [K in Name]?: number }) : {};
}

/** Lessons are reached from one of their sessions, which the address remembers. */
export const sessionSearch = (search: Record<string, unknown>) => parseId(search, 'session');

/** A payment that is looked at above the account it belongs to. */
export const paymentSearch = (search: Record<string, unknown>) => parseId(search, 'payment');

/** 'student-7' or 'carer-3'. */
export function personSearch({ person }: Record<string, unknown>): { person?: string } {
  return typeof person === 'string' && /^(student|carer)-\d{1,10}$/.test(person) ? { person } : {};
}

/** The page knows which periods there are; here only the shape counts. */
export function reportsSearch(search: Record<string, unknown>): ReportsSearch {
  const { show, period } = search;
  return {
    ...(show === 'owed' && { show }),
    ...(typeof period === 'string' && { period }),
  };
}

export const messagesSearch = (search: Record<string, unknown>): MessagesSearch => ({
  ...parseId(search, 'family'),
  ...(search['show'] === 'sent' && { show: 'sent' }),
});

const INVOICE_STATES = ['draft', 'open', 'overdue', 'paid'] as const;

export function invoicesSearch(search: Record<string, unknown>): InvoicesSearch {
  const state = INVOICE_STATES.find((each) => each === search['state']);
  return {
    ...parseId(search, 'family'),
    ...(state && { state }),
  };
}

/** A single number comes out of the address as a number. */
export function bulkInvoiceSearch(search: Record<string, unknown>): BulkInvoiceSearch {
  const ids = (name: 'drafts' | 'issued') => {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') return {};
    return /^\d{1,10}(-\d{1,10})*$/.test(text) && { [name]: text };
  };
  return { ...ids('drafts'), ...ids('issued') };
}
