import {
  SUBJECT_COLORS,
  SUBJECT_CURRENCIES,
  type Subject,
  type SubjectColor,
  SubjectInput,
} from '@lessonbook/contract/subjects';
import { Select, Textarea, TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { formatAmountInput, parseAmount } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { useCreateSubject, useUpdateSubject } from './api.ts';
import classes from './SubjectDialog.module.css';
import { SubjectAvatar } from './shared/SubjectAvatar.tsx';

const DEFAULT_FEE = 30;

const COLOR_OPTIONS = SUBJECT_COLORS.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** In the order they appear on screen: the first invalid field receives focus. */
const toFormValues = (subject: Subject | null) => ({
  name: subject?.name ?? '',
  description: subject?.description ?? '',
  defaultFee: formatAmountInput(subject?.defaultFee ?? DEFAULT_FEE),
  currency: subject?.currency ?? 'GBP',
  color: subject?.color ?? '',
});

type SubjectFormValues = Record<keyof ReturnType<typeof toFormValues>, string>;

/** An empty amount becomes 0, which is rejected: a lesson may be free, but a default fee may not be 0. */
const toInput = (fields: SubjectFormValues) =>
  ({
    ...fields,
    defaultFee: parseAmount(fields.defaultFee) ?? 0,
    color: fields.color || undefined,
  }) as SubjectInput;

/** Validates with the contract's schema. */
const SubjectFormSchema = z.pipe(
  z.transform<SubjectFormValues, z.input<typeof SubjectInput>>(toInput),
  SubjectInput,
);

interface Props {
  /** Null for a new subject. */
  subject: Subject | null;
  opened: boolean;
  onClose: () => void;
}

export function SubjectDialog({ subject, opened, onClose }: Props) {
  return (
    <Dialog title={subject ? 'Edit Subject' : 'Create Subject'} opened={opened} onClose={onClose}>
      <SubjectDialogForm subject={subject} onClose={onClose} />
    </Dialog>
  );
}

function SubjectDialogForm({ subject, onClose }: Omit<Props, 'opened'>) {
  const create = useCreateSubject();
  const update = useUpdateSubject();
  const initialValues = toFormValues(subject);
  const subjectForm = useForm<SubjectFormValues>({ schema: SubjectFormSchema, initialValues });
  useRefreshUnchangedFields(subjectForm, initialValues);
  const { form, onSubmit } = subjectForm;

  const save = onSubmit((values) => {
    const body = toInput(values);
    return subject ? update.mutateAsync({ id: subject.id, ...body }) : create.mutateAsync(body);
  }, onClose);

  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submitLabel={subject ? 'Save Changes' : 'Create'}
      isBusy={create.isPending || update.isPending}
    >
      <TextInput
        label="Name"
        withAsterisk
        data-autofocus
        autoComplete="off"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        size="md"
        rows={3}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
      <FieldPair alwaysSideBySide>
        <TextInput
          label="Default Fee"
          description="Enter amount"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          autoComplete="off"
          key={form.key('defaultFee')}
          {...form.getInputProps('defaultFee')}
        />
        <Select
          label="Currency"
          data={[...SUBJECT_CURRENCIES]}
          key={form.key('currency')}
          {...form.getInputProps('currency')}
        />
      </FieldPair>
      <Select
        label="Colour"
        data={subject ? COLOR_OPTIONS : [{ value: '', label: 'Automatic' }, ...COLOR_OPTIONS]}
        renderOption={({ option }) => (
          <span className={classes.color}>
            {option.value && <SubjectAvatar initials="" color={option.value as SubjectColor} />}
            {option.label}
          </span>
        )}
        allowDeselect={false}
        key={form.key('color')}
        {...form.getInputProps('color')}
      />
    </DialogForm>
  );
}
