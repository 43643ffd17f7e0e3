import { toMajor } from '@lessonbook/contract/money';
import { RATE_UNIT_LABELS, RATE_UNITS, type Rate, RateInput } from '@lessonbook/contract/rates';
import type { Student } from '@lessonbook/contract/students';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { DateField } from '../../../components/DateField.tsx';
import { FieldPair } from '../../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../../components/FormDialog.tsx';
import { formatAmountInput, parseAmount } from '../../../lib/parse-input.ts';
import { useForm } from '../../../lib/use-form.ts';
import { studentsQuery } from '../../students/api.ts';
import { subjectsQuery } from '../../subjects/api.ts';
import { useSaveRate } from '../api.ts';

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

const UNIT_OPTIONS = RATE_UNITS.map((value) => ({ value, label: RATE_UNIT_LABELS[value] }));

export function RateDialog({ opened, ...props }: RateFormProps & { opened: boolean }) {
  return (
    <Dialog title={props.rate ? 'Change rate' : 'Add rate'} opened={opened} onClose={props.onClose}>
      <RateForm {...props} />
    </Dialog>
  );
}

interface RateFormProps {
  /** Null for a new rate. */
  rate: Rate | null;
  /** The student whose rate it is. Set only on a student's page. */
  student?: Pick<Student, 'id' | 'subjectIds'>;
  today: string;
  onClose: () => void;
}

/** A changed rate starts today unless the rate itself starts later, so that earlier lessons keep their fee. */
function RateForm({ rate, student, today, onClose }: RateFormProps) {
  const students = useQuery(studentsQuery);
  const subjects = useQuery(subjectsQuery);
  const save = useSaveRate();
  const onlySubject = student?.subjectIds.length === 1 ? student.subjectIds[0] : undefined;
  const { values, errors, change, onSubmit } = useForm<RateFormValues>({
    schema: RateFormSchema,
    mode: 'controlled',
    initialValues: {
      studentId: String(rate?.studentId ?? student?.id ?? ''),
      subjectId: String(rate?.subjectId ?? onlySubject ?? ''),
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
          disabled={rate !== null || student !== undefined}
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
