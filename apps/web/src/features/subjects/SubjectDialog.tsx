import { SUBJECT_CURRENCIES, type Subject, SubjectInput } from '@lessonbook/contract/subjects';
import { Select, Textarea, TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { FieldPair } from '../../components/Form.tsx';
import { formatAmountInput, parseAmount } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { useCreateSubject, useUpdateSubject } from './api.ts';

const DEFAULT_FEE = 30;

/** In the order they appear on screen. */
const toFormValues = (subject: Subject | null) => ({
  name: subject?.name ?? '',
  description: subject?.description ?? '',
  defaultFee: formatAmountInput(subject?.defaultFee ?? DEFAULT_FEE),
  currency: subject?.currency ?? 'GBP',
});

type SubjectFormValues = Record<keyof ReturnType<typeof toFormValues>, string>;

/** An empty amount becomes 0, which is rejected: a lesson may be free, but a default fee may not. */
const toInput = (fields: SubjectFormValues) =>
  ({ ...fields, defaultFee: parseAmount(fields.defaultFee) ?? 0 }) as SubjectInput;

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
  const { form, onSubmit } = useForm<SubjectFormValues>({
    schema: SubjectFormSchema,
    initialValues: toFormValues(subject),
  });

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
    </DialogForm>
  );
}
