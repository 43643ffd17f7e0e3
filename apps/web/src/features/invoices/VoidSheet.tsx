import type { Invoice } from '@lessonbook/contract/invoices';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { money } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useVoidInvoice } from './api.ts';
import classes from './InvoiceSheets.module.css';

interface Props {
  invoice: Invoice;
  today: string;
  opened: boolean;
  onClose: () => void;
}

export function VoidSheet({ opened, onClose, ...form }: Props) {
  return (
    <BottomSheet title="Void this invoice?" opened={opened} onClose={onClose}>
      <VoidForm {...form} onClose={onClose} />
    </BottomSheet>
  );
}

function VoidForm({ invoice, today, onClose }: Omit<Props, 'opened'>) {
  const [reason, setReason] = useState('');
  const attempts = useNamedAttempts();
  const voiding = useVoidInvoice();

  function confirm() {
    const body = reason.trim() ? { reason: reason.trim() } : {};
    voiding.mutate(
      { params: { id: invoice.id }, body, attempt: attempts.nameOf(body) },
      { onSuccess: onClose },
    );
  }

  return (
    <div className={classes.sheet}>
      <Consequence>
        <p>
          {invoice.number} stays in the book, marked as void; the number is not given again. Its
          lessons can be invoiced again.
        </p>
        {madeByIt(invoice, today) && <p>Items and lessons still to come are no longer charged.</p>}
        {invoice.paid > 0 && (
          <p>{money(invoice.paid, invoice.currency)} was paid for it and stays in the account.</p>
        )}
        <p className={classes.quiet}>Whoever opens its link sees that nothing is to be paid.</p>
      </Consequence>
      <TextInput
        label="Reason"
        placeholder="E.g. wrong month"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <SheetButtons
        onCancel={onClose}
        cancel="Keep"
        confirm={`Void ${invoice.number}`}
        busy="Voiding..."
        isBusy={voiding.isPending}
        color="red"
        onConfirm={confirm}
      />
    </div>
  );
}

/** Charges that only this invoice made go with it. */
const madeByIt = ({ lines }: Invoice, today: string): boolean =>
  lines.some(({ sessionId, date }) => sessionId === null || date > today);
