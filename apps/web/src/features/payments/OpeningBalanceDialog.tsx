import { type FamilyDetails, OpeningBalanceInput } from '@lessonbook/contract/families';
import { CURRENCIES, type Currency } from '@lessonbook/contract/money';
import { Select } from '@mantine/core';
import * as z from 'zod/mini';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { parseMinorUnits } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { AmountTextInput } from './AmountTextInput.tsx';
import { useSetOpeningBalance } from './api.ts';
import classes from './PaymentDetailsModal.module.css';

interface Props {
  family: FamilyDetails;
  today: string;
  opened: boolean;
  onClose: () => void;
}

interface OpeningBalanceFormValues {
  side: 'owes' | 'credit';
  amount: string;
  currency: Currency;
  date: string;
}

const sides = [
  { value: 'owes', label: 'They owe' },
  { value: 'credit', label: 'In credit' },
] as const;

/** The form has a separate choice between owed and in credit, so a negative amount is invalid. */
function toInput({
  side,
  amount,
  ...fields
}: OpeningBalanceFormValues): z.input<typeof OpeningBalanceInput> {
  const minor = parseMinorUnits(amount) ?? Number.NaN;
  const positive = minor > 0 ? minor : Number.NaN;
  return { ...fields, amount: side === 'owes' ? positive : -positive };
}

const OpeningBalanceSchema = z.pipe(
  z.transform<OpeningBalanceFormValues, z.input<typeof OpeningBalanceInput>>(toInput),
  OpeningBalanceInput,
);

/** The balance from before the tutor used Lessonbook. Loaded lazily because of the date picker. */
export function OpeningBalanceDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog title="Opening balance" opened={opened} onClose={onClose}>
      <OpeningBalanceForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function OpeningBalanceForm({ family, today, onClose }: Omit<Props, 'opened'>) {
  const setBalance = useSetOpeningBalance();
  const { values, errors, change, onSubmit, keyFor } = useForm<OpeningBalanceFormValues>({
    schema: OpeningBalanceSchema,
    initialValues: { side: 'owes', amount: '', currency: family.currency, date: today },
    mode: 'controlled',
  });
  const save = onSubmit((fields) => {
    const input = { params: { id: family.id }, body: toInput(fields) };
    return setBalance.mutateAsync({ ...input, idempotencyKey: keyFor(input) });
  }, onClose);

  return (
    <DialogForm onSubmit={save} onCancel={onClose} submitLabel="Save" isBusy={setBalance.isPending}>
      <p className={classes.hint}>
        What {family.name} owed, or had paid in advance, before you used Lessonbook.
      </p>
      <SegmentedControl
        label="Balance"
        showLabel
        value={values.side}
        options={sides}
        onChange={(side) => change({ side })}
      />
      <FieldPair alwaysSideBySide>
        <AmountTextInput
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
