import type { BankDetails } from '@lessonbook/contract/business';

export interface BankFact {
  name: string;
  value: string;
}

/** In the order in which a bank's form asks for them; what the tutor has not given is left out. */
export function bankFacts(bank: BankDetails): BankFact[] {
  return [
    { name: 'Account name', value: bank.accountName ?? '' },
    { name: 'Sort code', value: bank.sortCode ?? '' },
    { name: 'Account number', value: bank.accountNumber ?? '' },
    { name: 'IBAN', value: bank.iban ?? '' },
    { name: 'BIC', value: bank.bic ?? '' },
  ].filter(({ value }) => value !== '');
}
