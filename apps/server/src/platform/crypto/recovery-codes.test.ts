import { expect, test } from 'vitest';
import { generateRecoveryCode, normalizeRecoveryCode } from './recovery-codes.ts';

test('normalizeRecoveryCode accepts recovery codes in upper or lower case and with any separators, and rejects everything else', () => {
  const code = generateRecoveryCode();
  const plain = code.replaceAll('-', '');
  for (const typed of [code, plain, code.toUpperCase(), ` ${code.replaceAll('-', ' ')} `])
    expect(normalizeRecoveryCode(typed)).toBe(plain);
  for (const typed of ['', '----', plain.slice(1), `${plain}a`, plain.replace(/./, 'l'), '081804'])
    expect(normalizeRecoveryCode(typed)).toBeNull();
});
