import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Invoice, InvoiceLine, InvoiceRow } from '@lessonbook/contract/invoices';
import type { Currency } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { sharedLinkToken } from '../../../platform/payment-and-feed-link-tokens.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { type LineRecord, linesByInvoice } from '../queries/invoice-lines.ts';
import {
  creditNotesByInvoice,
  type InvoiceRecord,
  invoiceById,
  invoicesByIds,
  paymentsForInvoice,
} from '../queries/invoices.ts';
import { deriveInvoiceState } from '../rules/invoice-state.ts';
import { parsePartySnapshot, toPartySnapshot } from '../rules/party-snapshot.ts';
import { DEFAULT_DUE_DAYS, recentBankDetailsChange } from './business-settings.ts';
import { invoiceNotFound } from './guards.ts';

/** In the order of the ids. */
export async function getInvoicesByIds(
  context: Context,
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
  today: string,
): Promise<InvoiceRow[]> {
  if (ids.length === 0) return [];
  const rows = await invoicesByIds(tx, tutorId, ids).execute();
  return ids.flatMap((id) =>
    rows.filter((row) => row.id === id).map((row) => toInvoiceRow(context, row, today)),
  );
}

/** Ordered by id. */
export async function readInvoiceRows(
  context: Context,
  tutorId: string,
  ids: readonly number[],
): Promise<InvoiceRow[]> {
  const [tutors, rows] = await context.db.tutorRead(tutorId, (tx) => [
    tutorQuery(tx, tutorId),
    invoicesByIds(tx, tutorId, ids),
  ]);
  const today = dateInZone(toTutorOrThrow(tutors).timeZone, context.clock.now());
  return rows.map((row) => toInvoiceRow(context, row, today));
}

export function toInvoiceRow(context: Context, record: InvoiceRecord, today: string): InvoiceRow {
  return {
    id: record.id,
    kind: record.kind,
    number: record.number,
    state: deriveInvoiceState(
      { ...record, issued: record.issuedOn !== null, voided: record.voidedOn !== null },
      today,
    ),
    familyId: record.familyId,
    familyName: record.familyName,
    students: record.students,
    currency: record.currency as Currency,
    total: record.total,
    due: record.issuedOn === null ? record.draftDue : record.due,
    onHold: record.onHold,
    holdReason: record.holdReason,
    issuedOn: record.issuedOn,
    dueOn: record.dueOn,
    lineCount: record.lineCount,
    token: record.linkKey && sharedLinkToken(context.config, 'invoice', record.linkKey),
  };
}

export const readInvoice = (context: Context, tutorId: string, id: number): Promise<Invoice> =>
  context.db.tutorSnapshot(tutorId, (tx) => getInvoice(context, tx, tutorId, id));

export async function getInvoice(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<Invoice> {
  const [tutors, [record], lines, creditNotes, [business], payments] = await executeBatch(tx, [
    tutorQuery(tx, tutorId),
    invoiceById(tx, tutorId, id),
    linesByInvoice(tx, tutorId, id),
    creditNotesByInvoice(tx, tutorId, id),
    businessSettingsByTutor(tx, tutorId),
    paymentsForInvoice(tx, tutorId, id),
  ]);
  if (!record) throw invoiceNotFound();
  const { name, timeZone } = toTutorOrThrow(tutors);
  const today = dateInZone(timeZone, context.clock.now());
  const payer = {
    name: record.familyName,
    address: record.familyAddress,
    reference: record.reference,
  };
  const row = toInvoiceRow(context, record, today);
  return {
    ...row,
    // A draft without a due date shows the one it would get if it were issued today.
    dueOn:
      record.kind === 'invoice' && record.issuedOn === null
        ? (record.dueOn ?? addDaysToDate(today, business?.dueDays ?? DEFAULT_DUE_DAYS))
        : record.dueOn,
    lines: lines.map(toInvoiceLine),
    parties: record.partiesSnapshot
      ? parsePartySnapshot(record.partiesSnapshot)
      : toPartySnapshot(name, business, payer),
    note: record.note,
    paid: row.state === 'draft' || record.kind === 'credit_note' ? 0 : getPaidAmount(record),
    credited: record.credited,
    writtenOff: record.writtenOff,
    periodFrom: record.periodFrom,
    periodTo: record.periodTo,
    voidedOn: record.voidedOn,
    voidReason: record.voidReason,
    corrects:
      record.correctedInvoiceId === null || record.correctedInvoiceNumber === null
        ? null
        : { id: record.correctedInvoiceId, number: record.correctedInvoiceNumber },
    creditNotes,
    bankDetailsChangedAt: recentBankDetailsChange(context, business?.bankDetailsChangedAt),
    payments: payments.map((payment) => ({
      ...payment,
      method: payment.method as Invoice['payments'][number]['method'],
    })),
  };
}

/** Zero for a void invoice, which no longer has charges. */
const getPaidAmount = (record: InvoiceRecord): number =>
  record.voidedOn === null ? record.total - record.credited - record.due : 0;

export const toInvoiceLine = (line: LineRecord): InvoiceLine => ({
  position: line.position,
  chargeId: line.chargeId,
  sessionId: line.sessionId,
  studentId: line.studentId,
  studentName: line.studentName,
  description: line.description,
  date: line.date,
  amount: line.amount,
  isFutureSession: line.chargeId === null && line.sessionId !== null,
  outstanding: line.outstanding,
  credited: line.credited,
});
