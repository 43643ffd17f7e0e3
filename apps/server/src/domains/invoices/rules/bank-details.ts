import { electronicFormatIBAN, friendlyFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';

export interface BankDetailsInput {
  sortCode: string | null;
  accountNumber: string | null;
  iban: string | null;
  bic: string | null;
}

type BankField = keyof BankDetailsInput;

const SEPARATORS = /[\s.\-–]/g;

/**
 * Checks and formats the details that differ from the stored ones. Stored details are not checked again, so that details
 * from before the checks existed do not prevent other changes.
 */
export function checkBankDetails(
  typed: BankDetailsInput,
  stored: BankDetailsInput,
): { details: BankDetailsInput; problems: Partial<Record<BankField, string>> } {
  const details = { ...typed };
  const problems: Partial<Record<BankField, string>> = {};
  for (const field of ['sortCode', 'accountNumber', 'iban', 'bic'] as const) {
    const value = typed[field];
    if (value === null || value === stored[field]) continue;
    const formatted = formatters[field](value, typed);
    if (formatted === null) problems[field] = PROBLEMS[field];
    else details[field] = formatted;
  }
  return { details, problems };
}

const PROBLEMS: Record<BankField, string> = {
  sortCode: 'A sort code has 6 digits, for example 12-34-56',
  accountNumber: 'An account number has 8 digits',
  iban: 'Check the IBAN: a character is missing or wrong',
  bic: 'A BIC has 8 or 11 characters, for example ABCDGB2L',
};

/** The stored form of a value, or null if it is invalid. */
const formatters: Record<BankField, (value: string, all: BankDetailsInput) => string | null> = {
  sortCode(value) {
    const digits = value.replace(SEPARATORS, '');
    return /^\d{6}$/.test(digits) ? (digits.match(/../g)?.join('-') ?? null) : null;
  },
  accountNumber(value, { sortCode }) {
    const digits = value.replace(SEPARATORS, '');
    // Foreign accounts have no sort code, and their numbers vary in length.
    return (sortCode === null ? /^\d{6,17}$/ : /^\d{8}$/).test(digits) ? digits : null;
  },
  iban(value) {
    const plain = electronicFormatIBAN(value);
    return plain && isValidIBAN(plain) ? friendlyFormatIBAN(plain) : null;
  },
  bic(value) {
    const plain = value.replace(SEPARATORS, '').toUpperCase();
    return isValidBIC(plain) ? plain : null;
  },
};
