import { CreditNoteInput } from '@lessonbook/contract/invoice-inputs';
import type { Invoice } from '@lessonbook/contract/invoices';
import type { Currency } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { currencySign, formatAmount, formatShortDate } from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { useCreditInvoice } from './api.ts';
import classes from './CreditNoteDialog.module.css';
import {
  type CreditAmounts,
  type CreditLine,
  creditableLines,
  maxCreditText,
  toCreditNoteInput,
  validateCredit,
} from './credit-note.ts';
import { creditableAmount, sumAmounts } from './invoice-lines.ts';

interface CreditNoteLineProps {
  line: CreditLine;
  currency: Currency;
  today: string;
  /** Null while the line is not selected. */
  amount: string | null;
  onSelect: (on: boolean) => void;
  onAmountChange: (text: string) => void;
}

function CreditNoteLine({
  line,
  currency,
  today,
  amount,
  onSelect,
  onAmountChange,
}: CreditNoteLineProps) {
  const lineLabel = [line.studentName, line.description].filter(Boolean).join(', ');
  const dateLabel = formatShortDate(line.date, today);
  return (
    <li className={classes.item}>
      <label className={classes.row}>
        <Checkbox checked={amount !== null} onChange={onSelect} />
        <span className={classes.description}>
          <span>{lineLabel}</span>
          <small>
            {dateLabel}
            {line.credited > 0 && `, ${formatAmount(line.credited, currency)} already credited`}
          </small>
        </span>
        <b>{formatAmount(creditableAmount(line), currency)}</b>
      </label>
      {amount !== null && (
        <TextInput
          className={classes.amount ?? ''}
          aria-label={`Amount to credit, ${lineLabel}, ${dateLabel}`}
          inputMode="decimal"
          leftSection={currencySign(currency)}
          value={amount}
          onChange={(event) => onAmountChange(event.currentTarget.value)}
          error={validateCredit(line, amount)}
        />
      )}
    </li>
  );
}

interface Props {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
  today: string;
}

/** Lets the tutor choose which lines to credit, and how much of each. */
export function CreditNoteDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="Credit note" opened={opened} onClose={onClose}>
      <CreditNoteForm {...form} onClose={onClose} />
    </Dialog>
  );
}

interface CreditFormValues {
  credits: CreditAmounts;
  reason: string;
}

function CreditNoteForm({ invoice, today, onClose }: Omit<Props, 'opened'>) {
  const lines = creditableLines(invoice.lines);
  const { values, change, onSubmit, keyFor } = useForm<CreditFormValues>({
    schema: z.pipe(
      z.transform((form: CreditFormValues) => toCreditNoteInput(lines, form.credits, form.reason)),
      CreditNoteInput,
    ),
    initialValues: { credits: {}, reason: '' },
    mode: 'controlled',
  });
  const { credits, reason } = values;
  const credit = useCreditInvoice();
  const navigate = useNavigate();
  const note = toCreditNoteInput(lines, credits, reason);
  const nothingSelected = Object.keys(credits).length === 0;
  const sum = note && formatAmount(sumAmounts(note.lines), invoice.currency);

  function setLine(chargeId: number, text: string | null) {
    const { [chargeId]: _, ...others } = credits;
    change({ credits: text === null ? others : { ...others, [chargeId]: text } });
  }

  const save = onSubmit(
    () => {
      const input = { params: { id: invoice.id }, body: note as CreditNoteInput };
      return credit.mutateAsync({ ...input, idempotencyKey: keyFor(input) });
    },
    ({ id }) => {
      onClose();
      void navigate({ to: '/invoices/$id', params: { id: String(id) } });
    },
  );

  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submitLabel={sum ? `Credit ${sum}` : 'Credit'}
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
            onSelect={(on) => setLine(line.chargeId, on ? maxCreditText(line) : null)}
            onAmountChange={(text) => setLine(line.chargeId, text)}
          />
        ))}
      </ul>
      <TextInput
        label="Reason"
        placeholder="E.g. lesson didn't happen"
        maxLength={500}
        value={reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      <ImpactNotice>
        {sum ? (
          <>
            <p>
              {invoice.familyName} will owe {sum} less. Anything already paid for it will become
              credit.
            </p>
            <p>Invoice {invoice.number} won't change. The two documents refer to each other.</p>
          </>
        ) : (
          <p>{nothingSelected ? 'Tick what to credit.' : 'Please check the amounts.'}</p>
        )}
      </ImpactNotice>
    </DialogForm>
  );
}
