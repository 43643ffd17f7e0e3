import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { InvoiceStatus } from './InvoiceStatus.tsx';

test.each([
  ['draft', 'Draft'],
  ['sent', 'Issued'],
  ['part_paid', 'Part paid'],
  ['paid', 'Paid'],
  ['overdue', 'Overdue'],
  ['void', 'Void'],
] as const)('%s is icon and word: %s', (state, word) => {
  const { container } = render(<InvoiceStatus kind="invoice" state={state} />);
  expect(container.textContent).toBe(word);
  expect(container.querySelector('svg')).not.toBeNull();
});

test('a credit note is never called paid', () => {
  const { container } = render(<InvoiceStatus kind="credit_note" state="paid" />);
  expect(container.textContent).toBe('Credit note');
});
