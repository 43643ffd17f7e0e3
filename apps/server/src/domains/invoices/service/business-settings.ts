import type { BusinessSettings } from '@lessonbook/contract/business-settings';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import {
  type BusinessRecord,
  businessSettingsByTutor,
  highestSequence,
  saveBusiness,
} from '../queries/business-settings.ts';

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
  dueDays: DEFAULT_DUE_DAYS,
  invoiceNote: null,
  invoicePrefix: '',
  nextInvoiceNumber: 1,
};

export async function readBusiness(context: Context, tutorId: string): Promise<BusinessSettings> {
  const [[business]] = await context.db.tutorRead(tutorId, (tx) => [
    businessSettingsByTutor(tx, tutorId),
  ]);
  return business ?? EMPTY_SETTINGS;
}

/** The next number can be raised, for example to continue an existing sequence, but not lowered to one already used. */
export async function updateBusiness(
  context: Context,
  tutorId: string,
  input: BusinessSettings,
): Promise<BusinessSettings> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const highest = (await highestSequence(tx, tutorId))?.sequence ?? 0;
    if (input.nextInvoiceNumber <= highest) {
      const message = `Number ${highest} is already given. Please enter ${highest + 1} or more`;
      throw new AppError('invalid', message, { fields: { nextInvoiceNumber: message } });
    }
    const saved: BusinessRecord = {
      tradingName: input.tradingName || null,
      address: input.address || null,
      email: input.email || null,
      phone: input.phone || null,
      extra: input.extra || null,
      accountName: input.accountName || null,
      sortCode: input.sortCode || null,
      accountNumber: input.accountNumber || null,
      iban: input.iban || null,
      bic: input.bic || null,
      dueDays: input.dueDays,
      invoiceNote: input.invoiceNote || null,
      invoicePrefix: input.invoicePrefix,
      nextInvoiceNumber: input.nextInvoiceNumber,
    };
    await saveBusiness(tx, tutorId, saved);
    return saved;
  });
}
