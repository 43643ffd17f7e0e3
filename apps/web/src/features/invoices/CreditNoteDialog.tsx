import type { Invoice } from '@lessonbook/contract/invoices';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Consequence } from '../../components/Consequence.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { money } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useCreditInvoice } from './api.ts';
import { CreditNoteLine } from './CreditNoteLine.tsx';
import { type Credits, creditLines, creditNoteOf, fullCredit } from './credit-note.ts';
import { totalOf } from './invoice-lines.ts';

interface Props {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
  today: string;
}

/** Which lines are taken back, and how much of each. */
export function CreditNoteDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="Credit note" opened={opened} onClose={onClose}>
      <CreditNoteForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function CreditNoteForm({ invoice, today, onClose }: Omit<Props, 'opened'>) {
  const lines = creditLines(invoice.lines);
  const [credits, setCredits] = useState<Credits>({});
  const [reason, setReason] = useState('');
  const attempts = useNamedAttempts();
  const credit = useCreditInvoice();
  const navigate = useNavigate();
  const note = creditNoteOf(lines, credits, reason);
  const nothingTicked = Object.keys(credits).length === 0;
  const sum = note && money(totalOf(note.lines), invoice.currency);

  function setLine(chargeId: number, text: string | null) {
    const { [chargeId]: _before, ...others } = credits;
    setCredits(text === null ? others : { ...others, [chargeId]: text });
  }

  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        if (!note) return;
        credit.mutate(
          { params: { id: invoice.id }, body: note, attempt: attempts.nameOf(note) },
          {
            onSuccess: ({ id }) => {
              onClose();
              void navigate({ to: '/invoices/$id', params: { id: String(id) } });
            },
          },
        );
      }}
      onCancel={onClose}
      submit={sum ? `Credit ${sum}` : 'Credit'}
      isBusy={credit.isPending}
    >
      <ul>
        {lines.map((line) => (
          <CreditNoteLine
            key={line.chargeId}
            line={line}
            currency={invoice.currency}
            today={today}
            amount={credits[line.chargeId] ?? null}
            onTick={(on) => setLine(line.chargeId, on ? fullCredit(line) : null)}
            onAmount={(text) => setLine(line.chargeId, text)}
          />
        ))}
      </ul>
      <TextInput
        label="Reason"
        placeholder="E.g. lesson did not take place"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Consequence>
        {sum ? (
          <>
            <p>
              {invoice.familyName} owes {sum} less. What was paid for it already stays as credit.
            </p>
            <p>{invoice.number} stays as it is; both say that they belong together.</p>
          </>
        ) : (
          <p>{nothingTicked ? 'Tick what to take back.' : 'Please check the amounts.'}</p>
        )}
      </Consequence>
    </DialogForm>
  );
}
