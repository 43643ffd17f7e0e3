import type { InvoiceBatchRow } from '@lessonbook/contract/invoice-and-reminder-batches';
import { NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { canBePaid, getDueDate } from '../../invoices/service/business-settings.ts';
import { nextInvoiceNumbers } from '../../invoices/service/issue.ts';
import { getInvoicesByIds } from '../../invoices/service/read.ts';
import { findInvoiceRecipients } from '../../messages/service/outbound/send-to-families.ts';
import { summarizeLines } from '../queries/invoice-line-summaries.ts';

interface InvoiceBatchPreview {
  rows: InvoiceBatchRow[];
  numbers: string[];
  dueOn: string;
  problem: string | null;
}

const NO_LINES = { id: 0, lessonCount: 0, firstDate: null, lastDate: null, upcoming: 0 };

/** Previews a batch of invoices with a fixed number of SQL queries, however many invoices there are. */
export async function previewInvoiceBatch(
  context: Context,
  tutorId: string,
  ids: readonly number[],
): Promise<InvoiceBatchPreview> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    const invoices = await getInvoicesByIds(context, tx, tutorId, [...new Set(ids)], today);
    if (invoices.length === 0) throw new AppError('not_found', 'Invoice not found');
    const familyIds = invoices.map(({ familyId }) => familyId);
    const recipients = await findInvoiceRecipients(context, tx, tutorId, familyIds);
    const lines = await summarizeLines(tx, tutorId, ids).execute();
    const linesById = new Map(lines.map((summary) => [summary.id, summary]));
    const drafts = invoices.filter(({ state }) => state === 'draft');
    return {
      rows: invoices.map((invoice): InvoiceBatchRow => {
        const recipient = recipients.get(invoice.familyId);
        const { id: _, ...contents } = linesById.get(invoice.id) ?? NO_LINES;
        return { ...invoice, ...contents, ...(recipient ?? { address: null, problem: null }) };
      }),
      numbers: await nextInvoiceNumbers(tx, tutorId, drafts.length),
      dueOn: await getDueDate(tx, tutorId, today),
      problem: (await canBePaid(context, tx, tutorId)) ? null : NO_PAYMENT_METHOD_MESSAGE,
    };
  });
}
