import { SUBJECT_CURRENCIES, type Subject } from '@lessonbook/contract/subjects';
import { Select, Textarea, TextInput } from '@mantine/core';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { FieldPair } from '../../components/FieldGroups.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useCreateSubject, useUpdateSubject } from './api.ts';
import { formOf, SubjectForm, toInput } from './subject-form.ts';

interface Props {
  /** None for a new one. */
  subject: Subject | null;
  opened: boolean;
  onClose: () => void;
}

export function SubjectDialog({ subject, opened, onClose }: Props) {
  return (
    <Dialog title={subject ? 'Edit Subject' : 'Create Subject'} opened={opened} onClose={onClose}>
      <Fields subject={subject} onClose={onClose} />
    </Dialog>
  );
}

function Fields({ subject, onClose }: Omit<Props, 'opened'>) {
  const create = useCreateSubject();
  const update = useUpdateSubject();
  const { form, onSubmit, showRefusal } = useContractForm(SubjectForm, formOf(subject), {
    isWork: true,
  });

  const save = onSubmit((values) => {
    const input = toInput(values);
    const answer = { onSuccess: onClose, onError: showRefusal };
    if (subject) update.mutate({ id: subject.id, ...input }, answer);
    else create.mutate(input, answer);
  });

  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      submit={subject ? 'Save Changes' : 'Create'}
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
      <FieldPair always>
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
