import type { InvoiceRow, InvoiceState as State } from '@lessonbook/contract/invoices';
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconCircleHalf2,
  IconFileCheck,
  IconGavel,
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
  on_hold: { label: 'Refunded', Icon: IconReceiptRefund },
  void: { label: 'Void', Icon: IconBan },
};

/** Always shows an icon and a label. A credit note is never shown as paid. */
export function InvoiceStatus({
  kind,
  state,
  holdReason = null,
}: Pick<InvoiceRow, 'kind' | 'state'> & Partial<Pick<InvoiceRow, 'holdReason'>>) {
  const isCreditNote = kind === 'credit_note' && state !== 'void';
  const isDisputed = state === 'on_hold' && holdReason === 'dispute';
  const { label, Icon } = isCreditNote
    ? { label: 'Credit note', Icon: IconReceiptRefund }
    : isDisputed
      ? { label: 'Disputed', Icon: IconGavel }
      : states[state];
  return (
    <span className={classes.state} data-state={isCreditNote ? 'credit' : state}>
      <Icon size={14} stroke={2.2} />
      {label}
    </span>
  );
}
