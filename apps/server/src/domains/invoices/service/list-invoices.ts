import type { InvoiceListRow, InvoiceRow } from '@lessonbook/contract/invoices';
import { normalizeText } from '@lessonbook/contract/normalize-text';
import { parseTypedAmount } from '@lessonbook/contract/parse-amount';
import type { PortalInvoice } from '@lessonbook/contract/portal-charges-and-invoices';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { containsPattern, wordPattern } from '../../../platform/search-patterns.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import {
  type InvoiceActivity,
  type InvoiceListQuery,
  invoiceActivity,
  listInvoices,
  type SearchTerm,
} from '../queries/invoice-list.ts';
import type { InvoiceRecord } from '../queries/invoices.ts';
import { toInvoiceRow } from './read.ts';

/** More words would only make the query slower. */
const MAX_TERMS = 6;
/** Only the beginning of a longer word is matched. */
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

export type WithSearch<Query> = Omit<Query, 'terms'> & { search?: string | undefined };

export const toFilter = <Query extends { search?: string | undefined }>({
  search,
  ...query
}: Query) => ({
  ...query,
  terms: toSearchTerms(search),
});

export const getToday = async (context: Context, tx: Tx, tutorId: string): Promise<string> =>
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
