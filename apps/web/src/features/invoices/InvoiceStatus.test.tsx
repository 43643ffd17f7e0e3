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
] as const)('shows %s with an icon and the label %s', (state, label) => {
  const { container } = render(<InvoiceStatus kind="invoice" state={state} />);
  expect(container.textContent).toBe(label);
  expect(container.querySelector('svg')).not.toBeNull();
});

test.each([
  ['dispute', 'Disputed'],
  ['refund', 'Refunded'],
  ['query', 'Queried'],
  ['instalments', 'In instalments'],
] as const)('F77 shows the reason why an invoice is on hold: %s as %s', (holdReason, label) => {
  const { container } = render(
    <InvoiceStatus kind="invoice" state="on_hold" holdReason={holdReason} />,
  );
  expect(container.textContent).toBe(label);
});

test('shows a paid credit note as Credit note', () => {
  const { container } = render(<InvoiceStatus kind="credit_note" state="paid" />);
  expect(container.textContent).toBe('Credit note');
});
