import { formatInvoiceState } from '@lessonbook/contract/invoice-labels';
import { toMajor } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { toCsv } from '../../../platform/files/csv-writer.ts';
import type { FileResponse } from '../../../platform/http/file-responses.ts';
import type { InvoiceListQuery } from '../queries/invoice-list.ts';
import { findInvoices, getToday, toFilter, type WithSearch } from './list-invoices.ts';

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
  const { today, rows } = await context.db.wholeAccountSnapshot(tutorId, async (tx) => {
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
    body: await toCsv(CSV_HEADER, rows, (row) => [
      row.number ?? '',
      row.kind === 'invoice' ? 'Invoice' : 'Credit note',
      row.familyName,
      row.students.join(', '),
      row.issuedOn ?? '',
      row.dueOn ?? '',
      formatInvoiceState(row),
      toMajor(row.total),
      toMajor(row.state === 'void' ? 0 : row.due),
      row.currency,
    ]),
  };
}
