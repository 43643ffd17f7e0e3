import { expect, test } from 'vitest';
import { type BankDetailsInput, checkBankDetails } from './bank-details.ts';

const NONE: BankDetailsInput = { sortCode: null, accountNumber: null, iban: null, bic: null };

test.each([
  [{ sortCode: '123456' }, { sortCode: '12-34-56' }],
  [{ sortCode: '12 34 56' }, { sortCode: '12-34-56' }],
  [{ sortCode: '12-34-56', accountNumber: '1234 5678' }, { accountNumber: '12345678' }],
  [{ iban: 'gb33bukb20201555555555' }, { iban: 'GB33 BUKB 2020 1555 5555 55' }],
  [{ iban: 'DE89 3704 0044 0532 0130 00' }, { iban: 'DE89 3704 0044 0532 0130 00' }],
  [{ bic: 'abcdgb2l' }, { bic: 'ABCDGB2L' }],
  [{ accountNumber: '0123456789' }, { accountNumber: '0123456789' }],
])('F103 formats %j', (typed, expected) => {
  const { details, problems } = checkBankDetails({ ...NONE, ...typed }, NONE);
  expect(problems).toEqual({});
  expect(details).toMatchObject(expected);
});

test.each([
  [{ sortCode: '12345' }, 'sortCode'],
  [{ sortCode: '12-34-5a' }, 'sortCode'],
  [{ accountNumber: '12ab' }, 'accountNumber'],
  [{ sortCode: '12-34-56', accountNumber: '1234567' }, 'accountNumber'],
  [{ iban: 'GB00 NOPE' }, 'iban'],
  [{ iban: 'GB33 BUKB 2020 1555 5555 56' }, 'iban'],
  [{ bic: 'NOPE' }, 'bic'],
] as const)('F103 rejects %j', (typed, field) => {
  const { problems } = checkBankDetails({ ...NONE, ...typed }, NONE);
  expect(Object.keys(problems)).toEqual([field]);
});

test('F103 does not check stored details again', () => {
  const stored = { ...NONE, sortCode: '12345', iban: 'GB00 NOPE' };
  const { details, problems } = checkBankDetails({ ...stored, bic: 'abcdgb2l' }, stored);
  expect(problems).toEqual({});
  expect(details).toEqual({ ...stored, bic: 'ABCDGB2L' });
});
