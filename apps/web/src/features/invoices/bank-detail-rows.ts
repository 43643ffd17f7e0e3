import type { BankDetails } from '@lessonbook/contract/business-settings';

export interface BankDetailRow {
  name: string;
  value: string;
}

/** In the order used on bank forms. Missing details are omitted. */
export function toBankDetailRows(bank: BankDetails): BankDetailRow[] {
  return [
    { name: 'Account name', value: bank.accountName ?? '' },
    { name: 'Sort code', value: bank.sortCode ?? '' },
    { name: 'Account number', value: bank.accountNumber ?? '' },
    { name: 'IBAN', value: bank.iban ?? '' },
    { name: 'BIC', value: bank.bic ?? '' },
  ].filter(({ value }) => value !== '');
}
