import { type Arrears, type UnpaidCharge, WriteOffInput } from '@lessonbook/contract/arrears';
import type { FamilyDetails } from '@lessonbook/contract/families';
import type { Currency } from '@lessonbook/contract/money';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import {
  createColumnAmountFormatter,
  firstName,
  formatAmount,
  formatShortDate,
} from '../../lib/format.ts';
import { useForm } from '../../lib/use-form.ts';
import { sumOutstanding } from './allocation.ts';
import { arrearsQuery, useWriteOff } from './instalments-and-write-offs-api.ts';
import classes from './WriteOffDialog.module.css';

interface Props {
  family: Pick<FamilyDetails, 'id' | 'name'>;
  today: string;
  opened: boolean;
  onClose: () => void;
}

/** Lets the tutor write off what is overdue, or the charges they choose. */
export function WriteOffDialog({ opened, onClose, family, today }: Props) {
  const { data, isError, refetch } = useQuery({ ...arrearsQuery(family.id), enabled: opened });
  return (
    <Dialog title="Write off" opened={opened} onClose={onClose}>
      {data && <WriteOffForm arrears={data} {...{ family, today, onClose }} />}
      {!data && !isError && <RowSkeleton rows={4} />}
      {!data && isError && (
        <LoadError onRetry={() => void refetch()}>We couldn't load this account.</LoadError>
      )}
    </Dialog>
  );
}

interface WriteOffValues {
  currency: Currency;
  chargeIds: number[];
  reason: string;
}

function WriteOffForm({
  arrears: { charges },
  family,
  today,
  onClose,
}: Omit<Props, 'opened'> & { arrears: Arrears }) {
  const writeOff = useWriteOff();
  const currencies = [...new Set(charges.map(({ currency }) => currency))];
  const overdueIn = (currency: Currency) =>
    charges
      .filter((charge) => charge.currency === currency && charge.isOverdue)
      .map(({ id }) => id);
  const first = currencies.find((currency) => overdueIn(currency).length > 0) ?? currencies[0];
  const selectCharges = (chargeIds: readonly number[]) =>
    charges.filter(({ id }) => chargeIds.includes(id));
  const toInput = ({ currency, chargeIds, reason }: WriteOffValues) => ({
    chargeIds,
    currency,
    amount: sumOutstanding(selectCharges(chargeIds)),
    reason: reason.trim() || null,
  });
  const { values, errors, change, onSubmit, keyFor } = useForm<WriteOffValues>({
    schema: z.pipe(
      z.transform<WriteOffValues, z.input<typeof WriteOffInput>>(toInput),
      WriteOffInput,
    ),
    initialValues: {
      currency: first ?? 'GBP',
      chargeIds: first ? overdueIn(first) : [],
      reason: '',
    },
    mode: 'controlled',
  });
  const { currency, chargeIds, reason } = values;
  const inCurrency = charges.filter((charge) => charge.currency === currency);
  const amount = sumOutstanding(selectCharges(chargeIds));
  const amountText = formatAmount(amount, currency);
  const save = onSubmit((input) => {
    const request = { params: { id: family.id }, body: toInput(input) };
    return writeOff.mutateAsync({ ...request, idempotencyKey: keyFor(request) });
  }, onClose);
  if (charges.length === 0) return <NothingOwed onClose={onClose} />;
  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submitLabel={amount > 0 ? `Write off ${amountText}` : 'Write off'}
      isBusy={writeOff.isPending}
    >
      {currencies.length > 1 && (
        <SegmentedControl
          label="Currency"
          showLabel
          value={currency}
          options={currencies.map((value) => ({ value, label: value }))}
          onChange={(value) => change({ currency: value, chargeIds: overdueIn(value) })}
        />
      )}
      <ChargeChoice
        charges={inCurrency}
        today={today}
        chosen={chargeIds}
        onChange={(ids) => change({ chargeIds: ids })}
      />
      {errors.chargeIds && (
        <p role="alert" className={classes.error}>
          {errors.chargeIds}
        </p>
      )}
      <TextInput
        label="Reason (only you can see this)"
        placeholder="E.g. moved away without paying"
        maxLength={200}
        value={reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
        error={errors.reason}
      />
      <ImpactNotice>
        {amount > 0
          ? `${firstName(family.name)} will no longer be asked to pay this ${amountText}. It stays on the account as written off, and isn't counted as income. You can reverse the write-off later.`
          : 'Tick what to write off.'}
      </ImpactNotice>
    </DialogForm>
  );
}

interface ChargeChoiceProps {
  charges: readonly UnpaidCharge[];
  today: string;
  chosen: readonly number[];
  onChange: (ids: number[]) => void;
}

function ChargeChoice({ charges, today, chosen, onChange }: ChargeChoiceProps) {
  const format = createColumnAmountFormatter(charges.map(({ outstanding }) => outstanding));
  const areAllChosen = charges.every(({ id }) => chosen.includes(id));
  const choose = (id: number, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <ul className={classes.charges}>
      {charges.length > 1 && (
        <li>
          <label className={classes.row}>
            <Checkbox
              checked={areAllChosen}
              onChange={(isChosen) => onChange(isChosen ? charges.map(({ id }) => id) : [])}
            />
            <span className={classes.text}>Everything unpaid</span>
          </label>
        </li>
      )}
      {charges.map((charge) => (
        <li key={charge.id}>
          <label className={classes.row}>
            <Checkbox
              checked={chosen.includes(charge.id)}
              onChange={(isChosen) => choose(charge.id, isChosen)}
            />
            <span className={classes.text}>
              <span>{describeCharge(charge)}</span>
              <small>{describeDate(charge, today)}</small>
            </span>
            <b>{format(charge.outstanding, charge.currency)}</b>
          </label>
        </li>
      ))}
    </ul>
  );
}

/** 'Maths lesson, Maya' */
const describeCharge = ({ description, studentName }: UnpaidCharge): string =>
  [description, studentName && firstName(studentName)].filter(Boolean).join(', ');

/** 'Tue 3 Nov, invoice 12, overdue' */
const describeDate = ({ date, invoiceNumber, isOverdue }: UnpaidCharge, today: string): string =>
  [
    formatShortDate(date, today),
    invoiceNumber && `invoice ${invoiceNumber}`,
    isOverdue && 'overdue',
  ]
    .filter(Boolean)
    .join(', ');

const NothingOwed = ({ onClose }: { onClose: () => void }) => (
  <>
    <p className={classes.nothing}>Nothing is owed on this account.</p>
    <Button onClick={onClose}>Close</Button>
  </>
);
