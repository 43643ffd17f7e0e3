import type {
  InvoiceStateFilter,
  InvoiceSummary,
} from '@lessonbook/contract/invoice-list-filters-and-totals';
import { INVOICE_STATE_LABELS } from '@lessonbook/contract/invoice-state-labels';
import type { InvoiceListRow, InvoiceRow } from '@lessonbook/contract/invoices';
import { type Currency, toMajor } from '@lessonbook/contract/money';
import { normalizeText } from '@lessonbook/contract/normalize-text';
import { parseTypedAmount } from '@lessonbook/contract/parse-amount';
import type { PortalInvoice } from '@lessonbook/contract/portal-charges-and-invoices';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { toCsv } from '../../../platform/files/csv-writer.ts';
import type { FileResponse } from '../../../platform/http/file-response-types.ts';
import { containsPattern, wordPattern } from '../../../platform/search-patterns.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import {
  type CategorySum,
  type InvoiceActivity,
  type InvoiceFilter,
  type InvoiceListQuery,
  invoiceActivity,
  listInvoices,
  type SearchTerm,
  sumInvoices,
  sumUninvoicedCharges,
} from '../queries/invoice-list.ts';
import type { InvoiceRecord } from '../queries/invoices.ts';
import { toInvoiceRow } from './read.ts';

/** More words would only make the query slower. A long word is matched by its beginning. */
const MAX_TERMS = 6;
const MAX_TERM_LENGTH = 30;

const toSearchTerms = (text = ''): SearchTerm[] =>
  text
    .split(/\s+/)
    .slice(0, MAX_TERMS)
    .map((typed) => {
      const word = typed.slice(0, MAX_TERM_LENGTH);
      return {
        number: containsPattern(word),
        name: normalizeText(word).replaceAll("'", ''),
        amount: parseTypedAmount(word),
      };
    })
    // An apostrophe alone would match every name.
    .filter(({ name }) => name !== '')
    .map((term) => ({ ...term, name: wordPattern(term.name) }));

type WithSearch<Query> = Omit<Query, 'terms'> & { search?: string | undefined };

const toFilter = <Query extends { search?: string | undefined }>({ search, ...query }: Query) => ({
  ...query,
  terms: toSearchTerms(search),
});

const getToday = async (context: Context, tx: Tx, tutorId: string): Promise<string> =>
  dateInZone(await getTimeZone(tx, tutorId), context.clock.now());

export async function readInvoices(
  context: Context,
  tutorId: string,
  query: WithSearch<InvoiceListQuery>,
): Promise<InvoiceListRow[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = await getToday(context, tx, tutorId);
    const rows = await listInvoices(tx, tutorId, toFilter(query), today).execute();
    const ids = rows.map(({ id }) => id);
    const activities = await invoiceActivity(tx, tutorId, ids).execute();
    const activityById = new Map(activities.map((activity) => [activity.id, activity]));
    return rows.map((row) => toListRow(context, row, activityById.get(row.id), today));
  });
}

export async function findInvoices(
  context: Context,
  tx: Tx,
  tutorId: string,
  query: InvoiceListQuery,
  today: string,
): Promise<InvoiceRow[]> {
  const rows = await listInvoices(tx, tutorId, query, today).execute();
  return rows.map((row) => toInvoiceRow(context, row, today));
}

/** The issued invoices and credit notes of an account, latest first. */
export async function getIssuedInvoices(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
  page: { limit: number; offset: number },
  today: string,
): Promise<PortalInvoice[]> {
  const query = { ...page, familyId, isIssued: true };
  const rows = await findInvoices(context, tx, tutorId, query, today);
  const ids = rows.map(({ id }) => id);
  const activities = await invoiceActivity(tx, tutorId, ids).execute();
  const paidOn = new Map(activities.map((activity) => [activity.id, activity.paidOn]));
  return rows.flatMap(
    ({ id, kind, number, issuedOn, dueOn, state, currency, total, due, onHold }) =>
      number === null || issuedOn === null || state === 'draft' || state === 'void'
        ? []
        : [
            {
              id,
              kind,
              number,
              issuedOn,
              dueOn,
              state,
              currency,
              total,
              due: due - onHold,
              paidOn: paidOn.get(id) ?? null,
            },
          ],
  );
}

function toListRow(
  context: Context,
  record: InvoiceRecord,
  activity: InvoiceActivity | undefined,
  today: string,
): InvoiceListRow {
  const { channel, messageState, messageAt, method, paidOn } = activity ?? {};
  return {
    ...toInvoiceRow(context, record, today),
    message:
      channel && messageState && messageAt
        ? { channel, state: messageState, at: messageAt.toISOString() }
        : null,
    reminderCount: activity?.reminderCount ?? 0,
    payment:
      method && paidOn
        ? {
            method: method as NonNullable<InvoiceListRow['payment']>['method'],
            date: paidOn,
          }
        : null,
    voidedOn: record.voidedOn,
  };
}

export async function readInvoiceSummary(
  context: Context,
  tutorId: string,
  { state, ...query }: WithSearch<InvoiceFilter> & { state?: InvoiceStateFilter | undefined },
): Promise<InvoiceSummary> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = await getToday(context, tx, tutorId);
    const [sums, uninvoiced] = await executeBatch(tx, [
      sumInvoices(tx, tutorId, toFilter(query), today),
      sumUninvoicedCharges(tx, tutorId),
    ]);
    const count = (category?: CategorySum['category']) =>
      sums
        .filter((sum) => category === undefined || sum.category === category)
        .reduce((total, sum) => total + sum.count, 0);
    return {
      counts: {
        all: count(),
        draft: count('draft'),
        sent: count('sent'),
        overdue: count('overdue'),
        paid: count('paid'),
      },
      totals: toTotals(sums.filter(({ category }) => state === undefined || category === state)),
      uninvoiced: {
        lessons: uninvoiced.reduce((total, { lessons }) => total + lessons, 0),
        families: new Set(uninvoiced.flatMap(({ familyIds }) => familyIds)).size,
        totals: uninvoiced.map(({ currency, amount }) => ({
          currency: currency as Currency,
          amount,
        })),
      },
    };
  });
}

const SIGN_IN_TOTAL: Record<CategorySum['category'], 1 | 0 | -1> = {
  draft: 1,
  sent: 1,
  overdue: 1,
  paid: 1,
  written_off: 1,
  credit_note: -1,
  void: 0,
};

const toTotals = (sums: readonly CategorySum[]): InvoiceSummary['totals'] =>
  [...new Set(sums.map(({ currency }) => currency))].toSorted().map((currency) => {
    const own = sums.filter((sum) => sum.currency === currency);
    const add = (value: (sum: CategorySum) => number) =>
      own.reduce((total, sum) => total + value(sum), 0);
    return {
      currency: currency as Currency,
      total: add(({ category, total }) => SIGN_IN_TOTAL[category] * total),
      due: add(({ due }) => due),
      overdue: add(({ category, due }) => (category === 'overdue' ? due : 0)),
    };
  });

const MAX_EXPORTED = 10_000;
const CSV_HEADER = [
  'Number',
  'Kind',
  'Payer',
  'Students',
  'Issued',
  'Due',
  'Status',
  'Total',
  'Outstanding',
  'Currency',
];

export async function exportInvoicesCsv(
  context: Context,
  tutorId: string,
  {
    ids,
    ...query
  }: WithSearch<Omit<InvoiceListQuery, 'ids' | 'limit' | 'offset'>> & {
    ids?: string | undefined;
  },
): Promise<FileResponse> {
  const { today, rows } = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const date = await getToday(context, tx, tutorId);
    const filter = {
      ...toFilter(query),
      ids: ids?.split('-').map(Number),
      limit: MAX_EXPORTED,
      offset: 0,
    };
    return { today: date, rows: await findInvoices(context, tx, tutorId, filter, date) };
  });
  return {
    name: `invoices-${today}.csv`,
    body: toCsv([
      CSV_HEADER,
      ...rows.map((row) => [
        row.number ?? '',
        row.kind === 'invoice' ? 'Invoice' : 'Credit note',
        row.familyName,
        row.students.join(', '),
        row.issuedOn ?? '',
        row.dueOn ?? '',
        INVOICE_STATE_LABELS[row.state],
        toMajor(row.total),
        toMajor(row.state === 'void' ? 0 : row.due),
        row.currency,
      ]),
    ]),
  };
}
