import { formatInvoiceState } from '@lessonbook/contract/invoice-labels';
import type { InvoiceRow, InvoiceState as State } from '@lessonbook/contract/invoices';
import {
  IconAlertTriangle,
  IconBan,
  IconCalendarDollar,
  IconCheck,
  IconCircleHalf2,
  IconCircleOff,
  IconFileCheck,
  IconGavel,
  IconMessageQuestion,
  IconPencil,
  IconReceiptRefund,
} from '@tabler/icons-react';
import classes from './InvoiceStatus.module.css';

const STATE_ICONS: Record<State, typeof IconCheck> = {
  draft: IconPencil,
  sent: IconFileCheck,
  part_paid: IconCircleHalf2,
  paid: IconCheck,
  overdue: IconAlertTriangle,
  on_hold: IconReceiptRefund,
  written_off: IconCircleOff,
  void: IconBan,
};

const HOLD_ICONS: Record<NonNullable<InvoiceRow['holdReason']>, typeof IconCheck> = {
  query: IconMessageQuestion,
  dispute: IconGavel,
  refund: IconReceiptRefund,
  instalments: IconCalendarDollar,
};

interface Props extends Pick<InvoiceRow, 'kind' | 'state'> {
  holdReason?: InvoiceRow['holdReason'];
}

/** Always shows an icon and a label. A credit note is never shown as paid. */
export function InvoiceStatus({ kind, state, holdReason = null }: Props) {
  const isCreditNote = kind === 'credit_note' && state !== 'void';
  const hold = state === 'on_hold' ? holdReason : null;
  const { label, Icon } = isCreditNote
    ? { label: 'Credit note', Icon: IconReceiptRefund }
    : {
        // The full label is too long for the lists.
        label: hold === 'dispute' ? 'Disputed' : formatInvoiceState({ state, holdReason }),
        Icon: hold ? HOLD_ICONS[hold] : STATE_ICONS[state],
      };
  return (
    <span className={classes.state} data-state={isCreditNote ? 'credit' : state}>
      <Icon size={14} stroke={2.2} />
      {label}
    </span>
  );
}
