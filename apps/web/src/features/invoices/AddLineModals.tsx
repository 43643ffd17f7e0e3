import { type Invoice, type InvoiceLine, InvoiceLineInput } from '@lessonbook/contract/invoices';
import type { Currency } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions, ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { currencySign, money, moneyColumn, shortDate } from '../../lib/format.ts';
import { parseMinor } from '../../lib/parse-input.ts';
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

/** Something that is no lesson: a book, an exam fee. */
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
  const [tried, setTried] = useState(false);
  useUnsavedChanges(description !== '' || amount !== '');
  // An amount that is missing is as wrong as one that is none.
  const item = { description, amount: parseMinor(amount) ?? Number.NaN };
  const checked = InvoiceLineInput.safeParse(item);
  const message = (field: keyof typeof item) =>
    tried && checked.error?.issues.find(({ path }) => path[0] === field)?.message;

  function add() {
    setTried(true);
    if (checked.success) onAdd({ ...item, description: description.trim() });
  }

  return (
    <form
      className={classes.sheet}
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
      <ModalActions onCancel={onClose} confirm="Add item" busy="Saving..." isBusy={isBusy} />
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

/** Lessons of the payer that stand on no invoice, and those still to come. */
export function AddLessonsModal({ opened, onClose, ...choice }: Props) {
  return (
    <ResponsiveModal title="Add lesson" opened={opened} onClose={onClose}>
      <LessonChoices {...choice} onClose={onClose} />
    </ResponsiveModal>
  );
}

function LessonChoices({ invoice, onClose, today, isBusy, onAdd }: Omit<Props, 'opened'>) {
  const choices = useQuery(addableLinesQuery(invoice.id));
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  if (choices.isError && !choices.data) {
    return (
      <LoadError onRetry={() => void choices.refetch()}>The lessons could not be loaded.</LoadError>
    );
  }
  if (!choices.data) return <RowSkeleton rows={3} />;
  if (choices.data.length === 0) {
    return (
      <EmptyState drawing={<Illustration name="register" size={88} />}>
        Every lesson of {invoice.familyName} is on an invoice already.
      </EmptyState>
    );
  }

  const chosen = choices.data.filter((line) => ticked.has(keyOf(line)));
  const amount = moneyColumn(choices.data.map((line) => line.amount));
  const sum = money(sumAmounts(chosen), invoice.currency);

  function toggle(key: string, on: boolean) {
    const next = new Set(ticked);
    if (on) next.add(key);
    else next.delete(key);
    setTicked(next);
  }

  return (
    <div className={classes.sheet}>
      <ul className={classes.rows}>
        {choices.data.map((line) => (
          <li key={keyOf(line)}>
            <label className={classes.row}>
              <Checkbox
                checked={ticked.has(keyOf(line))}
                onChange={(on) => toggle(keyOf(line), on)}
              />
              <span className={classes.what}>
                <span>{[line.studentName, line.description].filter(Boolean).join(', ')}</span>
                <small>
                  {shortDate(line.date, today)}
                  {line.ahead && ', still to come'}
                </small>
              </span>
              <b>{amount(line.amount, invoice.currency)}</b>
            </label>
          </li>
        ))}
      </ul>
      <ModalActions
        onCancel={onClose}
        confirm={chosen.length > 0 ? `Add ${chosen.length}, ${sum}` : 'Add'}
        busy="Saving..."
        isBusy={isBusy}
        disabled={chosen.length === 0}
        onConfirm={() => onAdd(chosen)}
      />
    </div>
  );
}

/** A lesson to come has no charge yet, so it is known by its session. */
const keyOf = ({ chargeId, sessionId }: InvoiceLine): string => `${chargeId} ${sessionId}`;
