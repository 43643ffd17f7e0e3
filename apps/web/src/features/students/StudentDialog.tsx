import { toMajor } from '@lessonbook/contract/money';
import { type Carer, type Student, StudentInput } from '@lessonbook/contract/students';
import { Autocomplete, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { FieldPair, FieldSection } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { formatAmountInput, parseAmount } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { termCalendarsQuery, toCalendarOptions } from '../lessons/shared/term-calendars-api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import { useCreateStudent, useUpdateStudent } from './api.ts';
import { CarerPicker } from './CarerPicker.tsx';

/** In the order they appear on screen: the first invalid field receives focus. */
function toFormValues(student: Student | null) {
  return {
    name: student?.name ?? '',
    phone: student?.phone ?? '',
    email: student?.email ?? '',
    subject: student?.subject ?? '',
    school: student?.school ?? '',
    schoolYear: student?.schoolYear ?? '',
    termCalendarId: student?.termCalendarId ?? null,
    travelFee: formatAmountInput(toMajor(student?.travelFee ?? 0) || null),
    notes: student?.notes ?? '',
    carerName: student?.carerName ?? '',
    carerRelationship: student?.carerRelationship ?? '',
    carerPhone: student?.carerPhone ?? '',
    carerEmail: student?.carerEmail ?? '',
  };
}

type StudentFormValues = ReturnType<typeof toFormValues>;

const StudentFormSchema = z.pipe(
  z.transform<StudentFormValues, z.input<typeof StudentInput>>(({ travelFee, ...fields }) => ({
    ...fields,
    travelFee: parseAmount(travelFee),
  })),
  StudentInput,
);

const emptyCarer = {
  carerName: '',
  carerRelationship: '',
  carerPhone: '',
  carerEmail: '',
} as const satisfies Partial<StudentFormValues>;

const toCarerValues = (carer: Carer) => ({
  carerName: carer.name,
  carerRelationship: carer.relationship ?? '',
  carerPhone: carer.phone ?? '',
  carerEmail: carer.email ?? '',
});

/** Clearing all carer fields unlinks the carer from the student; the carer is not deleted. */
function toInput({ travelFee, ...form }: StudentFormValues, carerId: number | null): StudentInput {
  const carerFields = Object.keys(emptyCarer) as (keyof typeof emptyCarer)[];
  const hasCarer = carerFields.some((field) => form[field].trim() !== '');
  return { ...form, travelFee: parseAmount(travelFee), carerId: hasCarer ? carerId : null };
}

/** Suggestions for England and Wales, Scotland, Northern Ireland and adults; any text can be entered. */
const SCHOOL_YEARS = [
  'Reception',
  ...numberedYears('Year', 13),
  ...numberedYears('P', 7),
  ...numberedYears('S', 6),
  'Adult',
];

function numberedYears(name: string, last: number): string[] {
  const separator = name.length > 1 ? ' ' : '';
  return Array.from({ length: last }, (_, index) => `${name}${separator}${index + 1}`);
}

interface TermCalendarSelectProps {
  defaultValue?: number | null;
  onChange: (id: number | null) => void;
}

/** Not shown until the tutor has entered school terms in the settings. */
function TermCalendarSelect({ defaultValue, onChange, ...input }: TermCalendarSelectProps) {
  const { data: calendars = [] } = useQuery(termCalendarsQuery);
  if (calendars.length === 0) return null;
  return (
    <Select
      label="School terms"
      placeholder="None"
      description="Suggested when lessons repeat in term time only"
      clearable
      data={toCalendarOptions(calendars)}
      {...input}
      defaultValue={defaultValue ? String(defaultValue) : null}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  );
}

interface Props {
  /** Null for a new student. */
  student: Student | null;
  /** The name of a new student. */
  initialName?: string;
  opened: boolean;
  onClose: () => void;
  /** Renders the reminder settings of an existing student. */
  reminders?: RenderReminders;
}

export type RenderReminders = (student: Student) => ReactNode;

export function StudentDialog({ student, initialName, opened, onClose, reminders }: Props) {
  return (
    <Dialog title={student ? 'Edit Student' : 'Add New Student'} opened={opened} onClose={onClose}>
      <StudentForm student={student} initialName={initialName} onClose={onClose}>
        {student && reminders?.(student)}
      </StudentForm>
    </Dialog>
  );
}

type FormProps = Pick<Props, 'student' | 'onClose'> & {
  initialName: string | undefined;
  children: ReactNode;
};

function StudentForm({ student, initialName, onClose, children }: FormProps) {
  const subjects = useQuery(subjectsQuery);
  const create = useCreateStudent();
  const update = useUpdateStudent();
  // Undefined until another carer is picked.
  const [pickedCarerId, setPickedCarerId] = useState<number | null>();
  const carerId = pickedCarerId === undefined ? (student?.carerId ?? null) : pickedCarerId;
  const initialValues = { ...toFormValues(student), ...(initialName && { name: initialName }) };
  const { form, fillIn, onSubmit } = useForm({
    schema: StudentFormSchema,
    initialValues,
    draft: { key: `student ${student?.id ?? 'new'}`, fields: ['notes'] },
  });
  useRefreshUnchangedFields({ form, fillIn }, initialValues);

  const save = onSubmit((values) => {
    const body = toInput(values, carerId);
    return student ? update.mutateAsync({ id: student.id, ...body }) : create.mutateAsync(body);
  }, onClose);

  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submitLabel={student ? 'Update Student' : 'Add Student'}
      isBusy={create.isPending || update.isPending}
    >
      <FieldSection heading="Student Information">
        <TextInput
          label="Name"
          withAsterisk
          data-autofocus
          autoComplete="off"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <FieldPair>
          <TextInput
            label="Phone"
            type="tel"
            autoComplete="off"
            key={form.key('phone')}
            {...form.getInputProps('phone')}
          />
          <TextInput
            label="Email"
            type="email"
            autoComplete="off"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
        </FieldPair>
        <Autocomplete
          label="Subject"
          placeholder="E.g. Mathematics, English, Physics"
          data={subjects.data?.map(({ name }) => name) ?? []}
          limit={20}
          key={form.key('subject')}
          {...form.getInputProps('subject')}
        />
        <FieldPair>
          <TextInput
            label="School"
            autoComplete="off"
            key={form.key('school')}
            {...form.getInputProps('school')}
          />
          <Autocomplete
            label="School year"
            placeholder="E.g. Year 10, S4, Adult"
            data={SCHOOL_YEARS}
            limit={20}
            key={form.key('schoolYear')}
            {...form.getInputProps('schoolYear')}
          />
        </FieldPair>
        <TermCalendarSelect
          key={form.key('termCalendarId')}
          {...form.getInputProps('termCalendarId')}
        />
        <TextInput
          label="Travel fee"
          placeholder="None"
          description="Suggested for new in-person lessons"
          inputMode="decimal"
          autoComplete="off"
          key={form.key('travelFee')}
          {...form.getInputProps('travelFee')}
        />
        <Textarea
          label="Notes"
          size="md"
          rows={3}
          key={form.key('notes')}
          {...form.getInputProps('notes')}
        />
      </FieldSection>
      <FieldSection heading="Carer Information (Optional)">
        <CarerPicker
          student={student}
          carerId={carerId}
          onPick={(carer) => {
            setPickedCarerId(carer?.id ?? null);
            form.setValues({ ...form.getValues(), ...(carer ? toCarerValues(carer) : emptyCarer) });
          }}
        />
        <FieldPair>
          <TextInput
            label="Carer Name"
            autoComplete="off"
            key={form.key('carerName')}
            {...form.getInputProps('carerName')}
          />
          <TextInput
            label="Relationship"
            placeholder="E.g. Parent, Guardian"
            key={form.key('carerRelationship')}
            {...form.getInputProps('carerRelationship')}
          />
        </FieldPair>
        <FieldPair>
          <TextInput
            label="Carer Phone"
            type="tel"
            autoComplete="off"
            key={form.key('carerPhone')}
            {...form.getInputProps('carerPhone')}
          />
          <TextInput
            label="Carer Email"
            type="email"
            autoComplete="off"
            key={form.key('carerEmail')}
            {...form.getInputProps('carerEmail')}
          />
        </FieldPair>
      </FieldSection>
      {children}
    </DialogForm>
  );
}
