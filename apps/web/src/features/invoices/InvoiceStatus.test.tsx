import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { InvoiceStatus } from './InvoiceStatus.tsx';

test.each([
  ['draft', 'Draft'],
  ['sent', 'Issued'],
  ['part_paid', 'Part paid'],
  ['paid', 'Paid'],
  ['overdue', 'Overdue'],
  ['on_hold', 'Refunded'],
  ['void', 'Void'],
] as const)('shows %s with an icon and the label %s', (state, label) => {
  const { container } = render(<InvoiceStatus kind="invoice" state={state} />);
  expect(container.textContent).toBe(label);
  expect(container.querySelector('svg')).not.toBeNull();
});

test('F77 shows a disputed invoice as Disputed', () => {
  const { container } = render(
    <InvoiceStatus kind="invoice" state="on_hold" holdReason="dispute" />,
  );
  expect(container.textContent).toBe('Disputed');
});

test('shows a paid credit note as Credit note', () => {
  const { container } = render(<InvoiceStatus kind="credit_note" state="paid" />);
  expect(container.textContent).toBe('Credit note');
});
