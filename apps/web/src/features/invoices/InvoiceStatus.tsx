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

const states: Record<State, { word: string; Icon: typeof IconCheck }> = {
  draft: { word: 'Draft', Icon: IconPencil },
  // It has its number; whether it was sent is said by the message that brought it.
  sent: { word: 'Issued', Icon: IconFileCheck },
  part_paid: { word: 'Part paid', Icon: IconCircleHalf2 },
  paid: { word: 'Paid', Icon: IconCheck },
  overdue: { word: 'Overdue', Icon: IconAlertTriangle },
  void: { word: 'Void', Icon: IconBan },
};

/** Always icon and word. A credit note is never paid: it says what it is. */
export function InvoiceStatus({ kind, state }: Pick<InvoiceRow, 'kind' | 'state'>) {
  const isCredit = kind === 'credit_note' && state !== 'void';
  const { word, Icon } = isCredit
    ? { word: 'Credit note', Icon: IconReceiptRefund }
    : states[state];
  return (
    <span className={classes.state} data-state={isCredit ? 'credit' : state}>
      <Icon size={14} stroke={2.2} />
      {word}
    </span>
  );
}
