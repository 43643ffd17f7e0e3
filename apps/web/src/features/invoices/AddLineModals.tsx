import { type Invoice, type InvoiceLine, InvoiceLineInput } from '@lessonbook/contract/invoices';
import type { Currency } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import {
  createAmountFormatter,
  currencySign,
  formatAmount,
  formatShortDate,
} from '../../lib/format.ts';
import { parseMinorUnits } from '../../lib/parse-input.ts';
import { useUnsavedChanges } from '../../lib/use-unsaved-changes.ts';
import { addableLinesQuery } from './api.ts';
import classes from './InvoiceModals.module.css';
import { sumAmounts } from './invoice-lines.ts';

interface AddItemProps {
  opened: boolean;
  onClose: () => void;
  currency: Currency;
  isBusy: boolean;
  onAdd: (item: { description: string; amount: number }) => void;
}

/** An item other than a lesson, such as an exam fee. */
export function AddItemModal({ opened, onClose, ...form }: AddItemProps) {
  return (
    <ResponsiveModal title="Add item" opened={opened} onClose={onClose}>
      <ItemForm {...form} onClose={onClose} />
    </ResponsiveModal>
  );
}

function ItemForm({ onClose, currency, isBusy, onAdd }: Omit<AddItemProps, 'opened'>) {
  const [description, setDescription] = useState('');
  const [amount, setAmount] = useState('');
  const [submitted, setSubmitted] = useState(false);
  useUnsavedChanges(description !== '' || amount !== '');
  // NaN makes the schema reject a missing amount in the same way as an invalid one.
  const item = { description, amount: parseMinorUnits(amount) ?? Number.NaN };
  const parsed = InvoiceLineInput.safeParse(item);
  const message = (field: keyof typeof item) =>
    submitted && parsed.error?.issues.find(({ path }) => path[0] === field)?.message;

  function add() {
    setSubmitted(true);
    if (parsed.success) onAdd({ ...item, description: description.trim() });
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <TextInput
        label="What for"
        placeholder="E.g. Exam paper"
        data-autofocus
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={message('description')}
      />
      <TextInput
        label="Amount"
        inputMode="decimal"
        leftSection={currencySign(currency)}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={message('amount')}
      />
      <ModalActions
        onCancel={onClose}
        confirmLabel="Add item"
        busyLabel="Saving..."
        isBusy={isBusy}
      />
    </form>
  );
}

interface Props {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
  today: string;
  isBusy: boolean;
  onAdd: (lines: InvoiceLine[]) => void;
}

/** The payer's lessons that are not yet on an invoice, including upcoming ones. */
export function AddLessonsModal({ opened, onClose, ...choice }: Props) {
  return (
    <ResponsiveModal title="Add lesson" opened={opened} onClose={onClose}>
      <LessonChoices {...choice} onClose={onClose} />
    </ResponsiveModal>
  );
}

function LessonChoices({ invoice, onClose, today, isBusy, onAdd }: Omit<Props, 'opened'>) {
  const choices = useQuery(addableLinesQuery(invoice.id));
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  if (choices.isError && !choices.data) {
    return (
      <LoadError onRetry={() => void choices.refetch()}>The lessons could not be loaded.</LoadError>
    );
  }
  if (!choices.data) return <RowSkeleton rows={3} />;
  if (choices.data.length === 0) {
    return (
      <EmptyState illustration={<Illustration name="register" size={88} />}>
        Every lesson of {invoice.familyName} is on an invoice already.
      </EmptyState>
    );
  }

  const selectedLines = choices.data.filter((line) => selectedKeys.has(keyOf(line)));
  const amount = createAmountFormatter(choices.data.map((line) => line.amount));
  const sum = formatAmount(sumAmounts(selectedLines), invoice.currency);

  function toggle(key: string, on: boolean) {
    const next = new Set(selectedKeys);
    if (on) next.add(key);
    else next.delete(key);
    setSelectedKeys(next);
  }

  return (
    <div className={classes.form}>
      <ul className={classes.rows}>
        {choices.data.map((line) => (
          <li key={keyOf(line)}>
            <label className={classes.row}>
              <Checkbox
                checked={selectedKeys.has(keyOf(line))}
                onChange={(on) => toggle(keyOf(line), on)}
              />
              <span className={classes.description}>
                <span>{[line.studentName, line.description].filter(Boolean).join(', ')}</span>
                <small>
                  {formatShortDate(line.date, today)}
                  {line.isFutureSession && ', still to come'}
                </small>
              </span>
              <b>{amount(line.amount, invoice.currency)}</b>
            </label>
          </li>
        ))}
      </ul>
      <ModalActions
        onCancel={onClose}
        confirmLabel={selectedLines.length > 0 ? `Add ${selectedLines.length}, ${sum}` : 'Add'}
        busyLabel="Saving..."
        isBusy={isBusy}
        disabled={selectedLines.length === 0}
        onConfirm={() => onAdd(selectedLines)}
      />
    </div>
  );
}

/** An upcoming lesson has no charge yet, so the session and the student are part of the key. */
const keyOf = ({ chargeId, sessionId, studentId }: InvoiceLine): string =>
  `${chargeId} ${sessionId} ${studentId}`;
