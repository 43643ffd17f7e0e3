import { formatMoney, toMajor } from '@lessonbook/contract/money';
import { RATE_UNITS, type Rate, RateInput } from '@lessonbook/contract/rates';
import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Avatar } from '../components/Avatar.tsx';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { DateField } from '../components/DateField.tsx';
import { Dialog, DialogForm } from '../components/Dialog.tsx';
import { EditableRow } from '../components/EditableRow.tsx';
import { FieldPair } from '../components/Form.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { ConfirmModal } from '../components/ResponsiveModal.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { ratesQuery, useDeleteRate, useSaveRate } from '../features/rates/api.ts';
import { studentsQuery } from '../features/students/api.ts';
import { subjectsQuery } from '../features/subjects/api.ts';
import { formatDateWithYear, initials } from '../lib/format.ts';
import { formatAmountInput, parseAmount } from '../lib/parse-input.ts';
import { useForm } from '../lib/use-form.ts';

const UNIT_LABELS = { hour: 'an hour', lesson: 'a lesson' };

const formatRate = ({ amount, currency, unit }: Rate): string =>
  `${formatMoney(amount, currency, 'en-GB')} ${UNIT_LABELS[unit]}`;

export function SettingsRatesPage() {
  const { today } = useTutor();
  const rates = useQuery(ratesQuery);
  const [opened, setOpened] = useState<'edit' | 'remove' | null>(null);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [selected, setSelected] = useState<Rate | null>(null);
  const remove = useDeleteRate();
  const close = () => setOpened(null);
  const isEmpty = rates.data?.length === 0;

  function open(modal: 'edit' | 'remove', rate: Rate | null) {
    setSelected(rate);
    setOpened(modal);
  }

  const renderAddButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('edit', null)}>
      Add rate
    </Button>
  );

  return (
    <NarrowContainer>
      <PageHeader
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
        action={!isEmpty && renderAddButton('filled')}
      />
      <Card
        aside={
          <ButtonLink to="/settings/rates/raise" variant="subtle">
            Raise prices
          </ButtonLink>
        }
        heading="What students pay"
      >
        {rates.isPending && <RowSkeleton rows={3} />}
        {rates.isError && !rates.data && (
          <LoadError onRetry={() => void rates.refetch()}>We couldn't load your rates.</LoadError>
        )}
        {isEmpty && (
          <EmptyState
            illustration={<Illustration name="book" size={112} />}
            action={renderAddButton('light')}
          >
            No rates yet. Lessons use the subject's default fee unless you enter another one.
          </EmptyState>
        )}
        {rates.data && !isEmpty && (
          <ul>
            {rates.data.map((rate) => (
              <EditableRow
                key={rate.id}
                avatar={<Avatar initials={initials(rate.studentName)} />}
                name={`${rate.studentName}, ${rate.subjectName}`}
                aside={formatRate(rate)}
                onEdit={() => open('edit', rate)}
                onDelete={() => open('remove', rate)}
              >
                <p>From {formatDateWithYear(rate.validFrom)}</p>
              </EditableRow>
            ))}
          </ul>
        )}
      </Card>
      <Dialog
        title={selected ? 'Change rate' : 'Add rate'}
        opened={opened === 'edit'}
        onClose={close}
      >
        <RateForm rate={selected} today={today} onClose={close} />
      </Dialog>
      {selected && (
        <ConfirmModal
          title="Remove this rate?"
          opened={opened === 'remove'}
          onClose={close}
          confirmLabel="Remove rate"
          busyLabel="Removing..."
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(selected.id, { onSuccess: close })}
        >
          Planned lessons of {selected.studentName} without their own fee use the rate before it, or
          the subject's default fee. Invoiced lessons keep their fee.
        </ConfirmModal>
      )}
    </NarrowContainer>
  );
}

interface RateFormValues {
  studentId: string;
  subjectId: string;
  amount: string;
  unit: string;
  validFrom: string;
}

const toInput = (values: RateFormValues) =>
  ({
    studentId: Number(values.studentId) || undefined,
    subjectId: Number(values.subjectId) || undefined,
    amount: parseAmount(values.amount) ?? undefined,
    unit: values.unit,
    validFrom: values.validFrom,
  }) as RateInput;

const RateFormSchema = z.pipe(
  z.transform<RateFormValues, z.input<typeof RateInput>>(toInput),
  RateInput,
);

const UNIT_OPTIONS = RATE_UNITS.map((value) => ({ value, label: UNIT_LABELS[value] }));

interface RateFormProps {
  /** Null for a new rate. */
  rate: Rate | null;
  today: string;
  onClose: () => void;
}

/** A changed rate starts today unless the rate itself starts later, so that earlier lessons keep their fee. */
function RateForm({ rate, today, onClose }: RateFormProps) {
  const students = useQuery(studentsQuery);
  const subjects = useQuery(subjectsQuery);
  const save = useSaveRate();
  const { values, errors, change, onSubmit } = useForm<RateFormValues>({
    schema: RateFormSchema,
    mode: 'controlled',
    initialValues: {
      studentId: rate ? String(rate.studentId) : '',
      subjectId: rate ? String(rate.subjectId) : '',
      amount: rate ? formatAmountInput(toMajor(rate.amount)) : '',
      unit: rate?.unit ?? 'hour',
      validFrom: rate && rate.validFrom > today ? rate.validFrom : today,
    },
  });
  const toOptions = (list: readonly { id: number; name: string }[] = []) =>
    list.map(({ id, name }) => ({ value: String(id), label: name }));
  const currency = subjects.data?.find(({ id }) => String(id) === values.subjectId)?.currency;
  return (
    <DialogForm
      onSubmit={onSubmit((fields) => save.mutateAsync(toInput(fields)), onClose)}
      onCancel={onClose}
      submitLabel="Save rate"
      isBusy={save.isPending}
    >
      <FieldPair>
        <Select
          label="Student"
          placeholder="Choose a student"
          searchable
          disabled={rate !== null}
          data={toOptions(students.data)}
          value={values.studentId}
          onChange={(studentId) => change({ studentId: studentId ?? '' })}
          error={errors.studentId}
          data-path="studentId"
        />
        <Select
          label="Subject"
          placeholder="Choose a subject"
          disabled={rate !== null}
          data={toOptions(subjects.data)}
          value={values.subjectId}
          onChange={(subjectId) => change({ subjectId: subjectId ?? '' })}
          error={errors.subjectId}
          data-path="subjectId"
        />
      </FieldPair>
      <FieldPair alwaysSideBySide>
        <TextInput
          label={currency ? `Amount (${currency})` : 'Amount'}
          inputMode="decimal"
          autoComplete="off"
          value={values.amount}
          onChange={(event) => change({ amount: event.currentTarget.value })}
          error={errors.amount}
          data-path="amount"
        />
        <Select
          label="For"
          data={UNIT_OPTIONS}
          allowDeselect={false}
          value={values.unit}
          onChange={(unit) => change({ unit: unit ?? 'hour' })}
          error={errors.unit}
          data-path="unit"
        />
      </FieldPair>
      <DateField
        label="From"
        placeholder="Pick a date"
        today={today}
        value={values.validFrom}
        onChange={(validFrom) => change({ validFrom })}
        required
        error={errors.validFrom}
        path="validFrom"
      />
    </DialogForm>
  );
}
