import { InvoiceLineInput } from '@lessonbook/contract/invoices';
import type { Currency } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { readMinor } from '../../lib/amount.ts';
import { currencySign } from '../../lib/format.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import classes from './InvoiceSheets.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  currency: Currency;
  isBusy: boolean;
  onAdd: (item: { description: string; amount: number }) => void;
}

/** Something that is no lesson: a book, an exam fee. */
export function AddItem({ opened, onClose, ...form }: Props) {
  return (
    <BottomSheet title="Add item" opened={opened} onClose={onClose}>
      <ItemForm {...form} onClose={onClose} />
    </BottomSheet>
  );
}

function ItemForm({ onClose, currency, isBusy, onAdd }: Omit<Props, 'opened'>) {
  const [description, setDescription] = useState('');
  const [amount, setAmount] = useState('');
  const [tried, setTried] = useState(false);
  useUnsaved(description !== '' || amount !== '');
  // An amount that is missing is as wrong as one that is none.
  const item = { description, amount: readMinor(amount) ?? Number.NaN };
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
      <SheetButtons onCancel={onClose} confirm="Add item" busy="Saving..." isBusy={isBusy} />
    </form>
  );
}
