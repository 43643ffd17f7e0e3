import { type Carer, type Student, StudentInput } from '@lessonbook/contract/students';
import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { FieldPair, FieldSection } from '../../components/Form.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useCreateStudent, useUpdateStudent } from './api.ts';
import { CarerPicker } from './CarerPicker.tsx';

/** In the order they appear on screen: the first invalid field gets the focus. */
function toFormValues(student: Student | null) {
  return {
    name: student?.name ?? '',
    phone: student?.phone ?? '',
    email: student?.email ?? '',
    subject: student?.subject ?? '',
    notes: student?.notes ?? '',
    carerName: student?.carerName ?? '',
    carerRelationship: student?.carerRelationship ?? '',
    carerPhone: student?.carerPhone ?? '',
    carerEmail: student?.carerEmail ?? '',
  };
}

type StudentFormValues = ReturnType<typeof toFormValues>;

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
function toInput(form: StudentFormValues, carerId: number | null): StudentInput {
  const carerFields = Object.keys(emptyCarer) as (keyof typeof emptyCarer)[];
  const hasCarer = carerFields.some((field) => form[field].trim() !== '');
  return { ...form, carerId: hasCarer ? carerId : null };
}

interface Props {
  /** Null for a new student. */
  student: Student | null;
  opened: boolean;
  onClose: () => void;
  /** Renders the reminder settings of an existing student. */
  reminders?: RenderReminders;
}

export type RenderReminders = (student: Student) => ReactNode;

export function StudentDialog({ student, opened, onClose, reminders }: Props) {
  return (
    <Dialog title={student ? 'Edit Student' : 'Add New Student'} opened={opened} onClose={onClose}>
      <StudentForm student={student} onClose={onClose}>
        {student && reminders?.(student)}
      </StudentForm>
    </Dialog>
  );
}

type FormProps = Pick<Props, 'student' | 'onClose'> & { children: ReactNode };

function StudentForm({ student, onClose, children }: FormProps) {
  const create = useCreateStudent();
  const update = useUpdateStudent();
  const [carerId, setCarerId] = useState(student?.carerId ?? null);
  const { form, onSubmit } = useForm({
    schema: StudentInput,
    initialValues: toFormValues(student),
    draft: { key: `student ${student?.id ?? 'new'}`, fields: ['notes'] },
  });

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
        <TextInput
          label="Subject"
          placeholder="E.g. Mathematics, English, Physics"
          key={form.key('subject')}
          {...form.getInputProps('subject')}
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
            setCarerId(carer?.id ?? null);
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
