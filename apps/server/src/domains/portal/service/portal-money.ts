import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type {
  PortalAccount,
  PortalCharge,
  PortalChargeQuery,
  PortalInvoice,
  PortalMoney,
} from '@lessonbook/contract/portal-charges-and-invoices';
import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeAsContact } from '../../../platform/db/execute-statement-batch.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import type { FileResponse } from '../../../platform/http/file-responses.ts';
import { payUrl } from '../../../platform/payment-and-feed-link-tokens.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { getCardPaymentStatus } from '../../cards/service/checkout.ts';
import { getIssuedInvoices } from '../../invoices/service/list-invoices.ts';
import { renderAccountInvoicePdf } from '../../invoices/service/render-pdf.ts';
import { renderStatementPdf } from '../../invoices/service/render-statement.ts';
import {
  type AccountStatement,
  getAccountStatements,
  getPaidAmounts,
} from '../../payments/service/amounts-owed-and-transfer-claims.ts';
import { formatEntryLabel } from '../../payments/service/charges.ts';
import {
  type ChargeQueryRow,
  recentQueriesOfFamilies,
} from '../../payments/service/questions-about-charges.ts';
import {
  accountsOfContact,
  type PortalAccountRow,
  portalAccounts,
} from '../queries/payment-accounts-visible-to-contact.ts';
import { portalAccess } from '../queries/portal-views.ts';
import { pdfByContact } from './rate-limits.ts';

const INVOICES = 12;
const SHOW_ANSWERS_DAYS = 30;

/**
 * The accounts this person may see. Both the view, which is read with the contact's database privileges, and the
 * application must allow this; the contents of the accounts are then read in the same way as for the tutor.
 */
async function authoriseAccounts(tx: Tx, contact: Contact): Promise<PortalAccountRow[]> {
  const { tutorId, contactId } = contact;
  const [access, visible] = await executeAsContact(tx, contact, [
    portalAccess(tx),
    portalAccounts(tx),
  ]);
  if (access.length === 0) throw signedOutError();
  const studentIds = contact.students.filter(({ seesMoney }) => seesMoney).map(({ id }) => id);
  if (studentIds.length === 0) return [];
  const allowed = await accountsOfContact(tx, tutorId, contactId, studentIds).execute();
  return visible.filter(({ familyId, isPayer }) =>
    allowed.some((account) => account.familyId === familyId && account.isPayer === isPayer),
  );
}

export async function authoriseAccount(
  tx: Tx,
  contact: Contact,
  id: number,
): Promise<PortalAccountRow> {
  const account = (await authoriseAccounts(tx, contact)).find(({ familyId }) => familyId === id);
  if (!account) throw new AppError('not_found', "We couldn't find that account.");
  return account;
}

export async function readPortalMoney(context: Context, contact: Contact): Promise<PortalMoney> {
  const { tutorId } = contact;
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const accounts = await authoriseAccounts(tx, contact);
    const ids = accounts.map(({ familyId }) => familyId);
    const { name, timeZone } = await getTutor(tx, tutorId);
    const today = dateInZone(timeZone, context.clock.now());
    const year = { from: `${today.slice(0, 4)}-01-01`, to: today };
    const statements = await getAccountStatements(tx, tutorId, ids);
    const paid = await getPaidAmounts(tx, tutorId, ids, year);
    const answeredSince = add24HourDays(context.clock.now(), -SHOW_ANSWERS_DAYS);
    const queries = await recentQueriesOfFamilies(tx, tutorId, ids, answeredSince).execute();
    const found: PortalAccount[] = [];
    for (const { familyId, isPayer } of accounts) {
      const statement = statements.get(familyId);
      if (!statement) continue;
      const page = { limit: INVOICES + 1, offset: 0 };
      const invoices = await getIssuedInvoices(context, tx, tutorId, familyId, page, today);
      found.push({
        ...toAccount(familyId, statement, timeZone),
        payerName: isPayer ? null : firstName(statement.name),
        // Only for the payer, because the link works without a login, even after access has ended.
        payUrl: isPayer ? payUrl(context.config, 'balance', statement.linkKey) : null,
        acceptsCards: (await getCardPaymentStatus(context, tx, tutorId, familyId)) !== null,
        paidThisYear: (paid.get(familyId) ?? []).map(({ currency, amount }) => ({
          currency,
          amount,
        })),
        queries: queries
          .filter((query) => query.familyId === familyId)
          .map((query) => toPortalQuery(query, contact.contactId)),
        invoices: invoices.slice(0, INVOICES),
        hasMoreInvoices: invoices.length > INVOICES,
      });
    }
    return { tutorName: name, today, accounts: found };
  });
}

const toAccount = (id: number, statement: AccountStatement, timeZone: string) => ({
  id,
  balances: statement.balances,
  charges: statement.charges.map((charge) => toCharge(charge, statement.studentId)),
  onHold: statement.onHold,
  plans: statement.plans,
  transferReportedOn:
    statement.transferClaimedAt && dateInZone(timeZone, statement.transferClaimedAt),
});

/** The messages between the tutor and one person are not shown to another. */
const toPortalQuery = (query: ChargeQueryRow, contactId: number): PortalChargeQuery => {
  const isOwn = query.contactId === contactId;
  return {
    id: query.id,
    studentName: query.studentName && firstName(query.studentName),
    description: formatEntryLabel(query),
    date: query.date,
    status: query.status === 'open' ? 'open' : 'answered',
    isOwed: query.isOwed,
    isOwn,
    message: isOwn ? query.message : null,
    answer: isOwn ? query.answer : null,
  };
};

const toCharge = (
  charge: AccountStatement['charges'][number],
  payerStudentId: number | null,
): PortalCharge => ({
  id: charge.id,
  studentName:
    charge.studentName === null || charge.studentId === payerStudentId
      ? null
      : firstName(charge.studentName),
  description: formatEntryLabel(charge),
  date: charge.date,
  currency: charge.currency as Currency,
  outstanding: charge.outstanding,
  dueOn: charge.dueOn,
});

export async function readPortalInvoices(
  context: Context,
  contact: Contact,
  accountId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ invoices: PortalInvoice[]; hasMore: boolean }> {
  const { tutorId } = contact;
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    await authoriseAccount(tx, contact, accountId);
    const { timeZone } = await getTutor(tx, tutorId);
    const today = dateInZone(timeZone, context.clock.now());
    const page = { limit: limit + 1, offset };
    const invoices = await getIssuedInvoices(context, tx, tutorId, accountId, page, today);
    return { invoices: invoices.slice(0, limit), hasMore: invoices.length > limit };
  });
}

/** The payer gets the document that was sent; another person gets it without the payer's address. */
export async function renderPortalInvoice(
  context: Context,
  contact: Contact,
  accountId: number,
  invoiceId: number,
): Promise<FileResponse> {
  const { tutorId, contactId } = contact;
  await context.limiter.consume(pdfByContact, `${tutorId} ${contactId}`);
  const { isPayer } = await context.db.tutorSnapshot(tutorId, (tx) =>
    authoriseAccount(tx, contact, accountId),
  );
  return renderAccountInvoicePdf(context, tutorId, {
    familyId: accountId,
    id: invoiceId,
    withAddresses: isPayer,
  });
}

export async function renderPortalStatement(
  context: Context,
  contact: Contact,
  accountId: number,
  period: { from: string; to: string },
): Promise<FileResponse> {
  const { tutorId, contactId } = contact;
  await context.limiter.consume(pdfByContact, `${tutorId} ${contactId}`);
  await context.db.tutorSnapshot(tutorId, (tx) => authoriseAccount(tx, contact, accountId));
  return renderStatementPdf(context, tutorId, accountId, period);
}
