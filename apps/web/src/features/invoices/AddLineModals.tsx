import { InvoiceLineInput } from '@lessonbook/contract/invoice-inputs';
import type { Invoice, InvoiceLine } from '@lessonbook/contract/invoices';
import type { Currency } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import {
  createColumnAmountFormatter,
  currencySign,
  formatAmount,
  formatShortDate,
  pluralize,
} from '../../lib/format.ts';
import { parseMinorUnits } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { addableLinesQuery } from './api.ts';
import classes from './InvoiceModals.module.css';
import { sumAmounts } from './invoice-lines.ts';

interface AddItemProps {
  opened: boolean;
  onClose: () => void;
  currency: Currency;
  isBusy: boolean;
  onAdd: (item: { description: string; amount: number }) => Promise<unknown>;
}

/** An item other than a lesson, such as an exam fee. */
export function AddItemModal({ opened, onClose, ...form }: AddItemProps) {
  return (
    <ResponsiveModal title="Add item" opened={opened} onClose={onClose}>
      <ItemForm {...form} onClose={onClose} />
    </ResponsiveModal>
  );
}

interface ItemFormValues {
  description: string;
  amount: string;
}

/** NaN makes the schema reject a missing amount in the same way as an invalid one. */
const toItem = ({ description, amount }: ItemFormValues) => ({
  description: description.trim(),
  amount: parseMinorUnits(amount) ?? Number.NaN,
});

const ItemFormSchema = z.pipe(
  z.transform<ItemFormValues, z.input<typeof InvoiceLineInput>>(toItem),
  InvoiceLineInput,
);

function ItemForm({ onClose, currency, isBusy, onAdd }: Omit<AddItemProps, 'opened'>) {
  const { form, onSubmit } = useForm<ItemFormValues>({
    schema: ItemFormSchema,
    initialValues: { description: '', amount: '' },
  });
  const add = onSubmit((values) => onAdd(toItem(values)), onClose);

  return (
    <form className={classes.form} noValidate onSubmit={add}>
      <TextInput
        label="Description"
        placeholder="E.g. Exam paper"
        data-autofocus
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
      <TextInput
        label="Amount"
        inputMode="decimal"
        leftSection={currencySign(currency)}
        key={form.key('amount')}
        {...form.getInputProps('amount')}
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
  onAdd: (lines: InvoiceLine[]) => Promise<unknown>;
}

/** The payer's lessons that are not yet on an invoice, including upcoming ones. */
export function AddLessonsModal({ opened, onClose, ...choice }: Props) {
  return (
    <ResponsiveModal title="Add lesson" opened={opened} onClose={onClose}>
      <LessonChoices {...choice} onClose={onClose} />
    </ResponsiveModal>
  );
}

const SelectionSchema = z.object({ selectedKeys: z.array(z.string()).check(z.minLength(1)) });

function LessonChoices({ invoice, onClose, today, isBusy, onAdd }: Omit<Props, 'opened'>) {
  const choices = useQuery(addableLinesQuery(invoice.id));
  const { values, change, onSubmit } = useForm({
    schema: SelectionSchema,
    initialValues: { selectedKeys: [] as string[] },
    mode: 'controlled',
  });
  const { selectedKeys } = values;
  if (choices.isError && !choices.data) {
    return (
      <LoadError onRetry={() => void choices.refetch()}>We couldn't load the lessons.</LoadError>
    );
  }
  if (!choices.data) return <RowSkeleton rows={3} />;
  if (choices.data.length === 0) {
    return (
      <EmptyState illustration={<Illustration name="register" size={88} />}>
        All of {invoice.familyName}'s lessons are already on an invoice.
      </EmptyState>
    );
  }

  const selectedLines = choices.data.filter((line) => selectedKeys.includes(keyOf(line)));
  const format = createColumnAmountFormatter(choices.data.map((line) => line.amount));
  const sum = formatAmount(sumAmounts(selectedLines), invoice.currency);

  const others = (key: string) => selectedKeys.filter((selected) => selected !== key);
  const toggle = (key: string, on: boolean) =>
    change({ selectedKeys: on ? [...others(key), key] : others(key) });
  const add = onSubmit(() => onAdd(selectedLines), onClose);

  return (
    <div className={classes.form}>
      <ul className={classes.rows}>
        {choices.data.map((line) => (
          <li key={keyOf(line)}>
            <label className={classes.row}>
              <Checkbox
                checked={selectedKeys.includes(keyOf(line))}
                onChange={(on) => toggle(keyOf(line), on)}
              />
              <span className={classes.description}>
                <span>{[line.studentName, line.description].filter(Boolean).join(', ')}</span>
                <small>
                  {formatShortDate(line.date, today)}
                  {line.isFutureSession && ', upcoming'}
                </small>
              </span>
              <b>{format(line.amount, invoice.currency)}</b>
            </label>
          </li>
        ))}
      </ul>
      <ModalActions
        onCancel={onClose}
        confirmLabel={
          selectedLines.length > 0
            ? `Add ${pluralize(selectedLines.length, 'lesson')} (${sum})`
            : 'Add'
        }
        busyLabel="Saving..."
        isBusy={isBusy}
        disabled={selectedLines.length === 0}
        onConfirm={() => add()}
      />
    </div>
  );
}

/** An upcoming lesson has no charge yet, so the session and the student are part of the key. */
const keyOf = ({ chargeId, sessionId, studentId }: InvoiceLine): string =>
  `${chargeId} ${sessionId} ${studentId}`;
