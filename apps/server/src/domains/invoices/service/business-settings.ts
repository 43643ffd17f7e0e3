import type {
  BusinessSettings,
  SavedBusinessSettings,
} from '@lessonbook/contract/business-settings';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { acceptsCards } from '../../cards/service/checkout.ts';
import { assertPhones } from '../../students/service/students.ts';
import {
  type BusinessRecord,
  businessSettingsByTutor,
  saveBusiness,
} from '../queries/business-settings.ts';
import { highestSequence } from '../queries/invoice-numbers.ts';
import { type BankDetailsInput, checkBankDetails } from '../rules/bank-details.ts';
import { toBankDetails } from '../rules/party-snapshot.ts';

export const DEFAULT_DUE_DAYS = 7;

const EMPTY_SETTINGS: BusinessRecord = {
  tradingName: null,
  address: null,
  email: null,
  phone: null,
  extra: null,
  accountName: null,
  sortCode: null,
  accountNumber: null,
  iban: null,
  bic: null,
  paymentInstructions: null,
  dueDays: DEFAULT_DUE_DAYS,
  invoiceNote: null,
  invoicePrefix: '',
  nextInvoiceNumber: 1,
  bankDetailsChangedAt: null,
};

const BANK_FIELDS = ['accountName', 'sortCode', 'accountNumber', 'iban', 'bic'] as const;
/** Shown to families, so an attacker could use these fields to give a different bank account. */
const PRINTED_FIELDS = [
  'tradingName',
  'address',
  'email',
  'phone',
  'extra',
  'invoiceNote',
  'paymentInstructions',
] as const;

/** The due date of an invoice issued on the given date. */
export async function getDueDate(tx: Tx, tutorId: string, issuedOn: string): Promise<string> {
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  return addDaysToDate(issuedOn, business?.dueDays ?? DEFAULT_DUE_DAYS);
}

/** When the bank details were changed, if within the last 24 hours, so that the tutor can be shown a notice. */
export function recentBankDetailsChange(
  context: Context,
  changedAt: Date | null | undefined,
): string | null {
  const isRecent = changedAt && changedAt > add24HourDays(context.clock.now(), -1);
  return isRecent ? changedAt.toISOString() : null;
}

const toSettings = (context: Context, record: BusinessRecord): SavedBusinessSettings => ({
  ...record,
  bankDetailsChangedAt: recentBankDetailsChange(context, record.bankDetailsChangedAt),
});

export async function readBusiness(
  context: Context,
  tutorId: string,
): Promise<SavedBusinessSettings> {
  const [[business]] = await context.db.tutorRead(tutorId, (tx) => [
    businessSettingsByTutor(tx, tutorId),
  ]);
  return toSettings(context, business ?? EMPTY_SETTINGS);
}

/** 'Ada Fenwick, Fenwick Tuition': how messages to families are signed. */
export async function getSignature(tx: Tx, tutorId: string): Promise<string> {
  const { name } = await getTutor(tx, tutorId);
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  const tradingName = business?.tradingName;
  return tradingName && tradingName !== name ? `${name}, ${tradingName}` : name;
}

/** Whether families know how to pay: to a bank account, by card or in another way that the tutor has described. */
export async function canBePaid(context: Context, tx: Tx, tutorId: string): Promise<boolean> {
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  if (toBankDetails(business) || business?.paymentInstructions) return true;
  return acceptsCards(context, tx, tutorId);
}

const MAX_NEXT_INVOICE_NUMBER = 99_999_999;

/**
 * The next number can be raised, for example to continue an existing sequence, but not lowered to one already used. The
 * current one is always accepted: invoices may have raised it beyond what can be entered.
 */
export async function updateBusiness(
  context: Context,
  tutorId: string,
  input: BusinessSettings,
): Promise<SavedBusinessSettings> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const previous =
      (await businessSettingsByTutor(tx, tutorId).executeTakeFirst()) ?? EMPTY_SETTINGS;
    if (input.nextInvoiceNumber !== previous.nextInvoiceNumber)
      await assertNextInvoiceNumber(tx, tutorId, input.nextInvoiceNumber);
    const phone = { typed: input.phone, stored: previous.phone };
    await assertPhones(tx, tutorId, { phone });
    const saved: BusinessRecord = {
      tradingName: input.tradingName || null,
      address: input.address || null,
      email: input.email || null,
      phone: input.phone || null,
      extra: input.extra || null,
      accountName: input.accountName || null,
      ...validateBankDetails(input, previous),
      paymentInstructions: input.paymentInstructions || null,
      dueDays: input.dueDays,
      invoiceNote: input.invoiceNote || null,
      invoicePrefix: input.invoicePrefix,
      nextInvoiceNumber: input.nextInvoiceNumber,
      bankDetailsChangedAt: previous.bankDetailsChangedAt,
    };
    const hasChanged = (field: keyof BusinessRecord) => saved[field] !== previous[field];
    if (BANK_FIELDS.some(hasChanged)) saved.bankDetailsChangedAt = context.clock.now();
    await saveBusiness(tx, tutorId, saved);
    if (BANK_FIELDS.some(hasChanged)) await notifyBankDetailsChanged(context, tx, tutorId);
    if (PRINTED_FIELDS.some(hasChanged)) await notifyBusinessDetailsChanged(context, tx, tutorId);
    return toSettings(context, saved);
  });
}

function validateBankDetails(input: BusinessSettings, previous: BusinessRecord): BankDetailsInput {
  const typed = {
    sortCode: input.sortCode || null,
    accountNumber: input.accountNumber || null,
    iban: input.iban || null,
    bic: input.bic || null,
  };
  const { details, problems } = checkBankDetails(typed, previous);
  const [message] = Object.values(problems);
  if (message) throw new AppError('invalid', message, { fields: problems });
  return details;
}

async function notifyBankDetailsChanged(context: Context, tx: Tx, tutorId: string): Promise<void> {
  await recordAudit(tx, tutorId, { action: 'bank_details_changed', at: context.clock.now() });
  await notifyOwner(context, tx, tutorId, 'bank-details-changed');
}

async function notifyBusinessDetailsChanged(
  context: Context,
  tx: Tx,
  tutorId: string,
): Promise<void> {
  await recordAudit(tx, tutorId, { action: 'business_details_changed', at: context.clock.now() });
  await notifyOwner(context, tx, tutorId, 'business-details-changed');
}

async function assertNextInvoiceNumber(tx: Tx, tutorId: string, entered: number): Promise<void> {
  const highest = (await highestSequence(tx, tutorId))?.sequence ?? 0;
  if (entered > highest && entered <= MAX_NEXT_INVOICE_NUMBER) return;
  const message =
    entered <= highest
      ? `Number ${highest} is already used. Please enter ${highest + 1} or more`
      : `Please enter ${MAX_NEXT_INVOICE_NUMBER} or less`;
  throw new AppError('invalid', message, { fields: { nextInvoiceNumber: message } });
}
