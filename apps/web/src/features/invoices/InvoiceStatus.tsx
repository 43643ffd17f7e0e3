import type { InvoiceRow, InvoiceState as State } from '@lessonbook/contract/invoices';
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconCircleHalf2,
  IconFileCheck,
  IconPencil,
  IconReceiptRefund,
} from '@tabler/icons-react';
import classes from './InvoiceStatus.module.css';

const states: Record<State, { label: string; Icon: typeof IconCheck }> = {
  draft: { label: 'Draft', Icon: IconPencil },
  // 'sent' means issued; the message log records whether it was sent.
  sent: { label: 'Issued', Icon: IconFileCheck },
  part_paid: { label: 'Part paid', Icon: IconCircleHalf2 },
  paid: { label: 'Paid', Icon: IconCheck },
  overdue: { label: 'Overdue', Icon: IconAlertTriangle },
  void: { label: 'Void', Icon: IconBan },
};

/** Always shows an icon and a label. A credit note is never shown as paid. */
export function InvoiceStatus({ kind, state }: Pick<InvoiceRow, 'kind' | 'state'>) {
  const isCreditNote = kind === 'credit_note' && state !== 'void';
  const { label, Icon } = isCreditNote
    ? { label: 'Credit note', Icon: IconReceiptRefund }
    : states[state];
  return (
    <span className={classes.state} data-state={isCreditNote ? 'credit' : state}>
      <Icon size={14} stroke={2.2} />
      {label}
    </span>
  );
}
