import { type FamilyDetails, OpeningBalanceInput } from '@lessonbook/contract/families';
import { CURRENCIES, type Currency } from '@lessonbook/contract/money';
import { Select } from '@mantine/core';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { FieldPair } from '../../components/Form.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { parseMinor } from '../../lib/parse-input.ts';
import { useControlledForm } from '../../lib/use-form.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { AmountField } from './AmountField.tsx';
import { useSetOpeningBalance } from './api.ts';
import classes from './PaymentModal.module.css';

interface Props {
  family: FamilyDetails;
  today: string;
  opened: boolean;
  onClose: () => void;
}

interface Fields {
  side: 'owes' | 'credit';
  amount: string;
  currency: Currency;
  date: string;
}

const sides = [
  { value: 'owes', label: 'They owe' },
  { value: 'credit', label: 'In credit' },
] as const;

/** The side is said by the choice above, so a minus in the field is a slip. */
function toInput({ side, amount, ...fields }: Fields): z.input<typeof OpeningBalanceInput> {
  const minor = parseMinor(amount) ?? Number.NaN;
  const size = minor > 0 ? minor : Number.NaN;
  return { ...fields, amount: side === 'owes' ? size : -size };
}

const OpeningBalanceSchema = z.pipe(
  z.transform<Fields, z.input<typeof OpeningBalanceInput>>(toInput),
  OpeningBalanceInput,
);

/** What was owed or paid ahead before this book began. Large with its calendar, so fetch it when it is wanted. */
export function OpeningBalanceDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="Opening balance" opened={opened} onClose={onClose}>
      <OpeningBalanceForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function OpeningBalanceForm({ family, today, onClose }: Omit<Props, 'opened'>) {
  const set = useSetOpeningBalance();
  const attempts = useIdempotencyKey();
  const { values, errors, change, onSubmit, showRefusal } = useControlledForm<Fields>(
    OpeningBalanceSchema,
    {
      side: 'owes',
      amount: '',
      currency: family.currency,
      date: today,
    },
  );
  const save = onSubmit((fields) => {
    const input = { params: { id: family.id }, body: toInput(fields) };
    set.mutate(
      { ...input, idempotencyKey: attempts.nameOf(input) },
      { onSuccess: onClose, onError: showRefusal },
    );
  });

  return (
    <DialogForm onSubmit={save} onCancel={onClose} submit="Save" isBusy={set.isPending}>
      <p className={classes.hint}>What {family.name} owed, or had paid ahead, before this book.</p>
      <SegmentedControl
        label="Balance"
        shown
        value={values.side}
        options={sides}
        onChange={(side) => change({ side })}
      />
      <FieldPair always>
        <AmountField
          value={values.amount}
          onChange={(amount) => change({ amount })}
          currency={values.currency}
          error={errors.amount}
        />
        <Select
          label="Currency"
          data={[...CURRENCIES]}
          value={values.currency}
          onChange={(currency) => change({ currency: currency ?? 'GBP' })}
          error={errors.currency}
          data-path="currency"
        />
      </FieldPair>
      <DateField
        label="Date"
        value={values.date}
        onChange={(date) => change({ date })}
        today={today}
        placeholder="Pick a date"
        required
        error={errors.date}
        path="date"
      />
    </DialogForm>
  );
}
