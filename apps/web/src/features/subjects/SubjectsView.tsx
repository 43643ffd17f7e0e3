import { formatMoney, toMinor } from '@lessonbook/contract/money';
import {
  SUBJECT_COLORS,
  SUBJECT_CURRENCIES,
  type Subject,
  type SubjectColor,
  SubjectInput,
} from '@lessonbook/contract/subjects';
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, startTransition, useState } from 'react';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { Dialog, DialogForm } from '../../components/Dialog.tsx';
import { FieldPair } from '../../components/Form.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { PageHeader } from '../../components/PageLayout.tsx';
import { ConfirmModal } from '../../components/ResponsiveModal.tsx';
import { RowWithEditAndDelete } from '../../components/RowWithEditAndDelete.tsx';
import { initials } from '../../lib/format.ts';
import { formatAmountInput, parseAmount } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-sync-form-with-saved-data.ts';
import { subjectsQuery, useCreateSubject, useDeleteSubject, useUpdateSubject } from './api.ts';
import classes from './SubjectsView.module.css';
import { SubjectAvatar } from './shared/SubjectAvatar.tsx';

interface DeleteSubjectModalProps {
  subject: Subject;
  opened: boolean;
  onClose: () => void;
}

function DeleteSubjectModal({ subject, opened, onClose }: DeleteSubjectModalProps) {
  const remove = useDeleteSubject();
  return (
    <ConfirmModal
      title="Are you sure you want to delete this subject?"
      opened={opened}
      onClose={onClose}
      confirmLabel="Delete subject"
      busyLabel="Deleting..."
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(subject.id, { onSuccess: onClose })}
    >
      {subject.name} can no longer be chosen. Lessons in this subject stay as they are.
    </ConfirmModal>
  );
}

export function SubjectsView({ back }: Pick<ComponentProps<typeof PageHeader>, 'back'>) {
  const subjects = useQuery(subjectsQuery);
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  // Kept while the dialog closes, so that its content does not change during the animation.
  const [selectedSubject, setSelectedSubject] = useState<Subject | null>(null);
  const close = () => setOpened(null);

  function open(modal: 'edit' | 'delete', subject: Subject | null) {
    // A transition, so that the button responds before the list re-renders.
    startTransition(() => {
      setSelectedSubject(subject);
      setOpened(modal);
    });
  }

  const isEmpty = subjects.data?.length === 0;
  const renderAddButton = (variant: 'filled' | 'light') => (
    <Button variant={variant} onClick={() => open('edit', null)}>
      Add Subject
    </Button>
  );

  return (
    <div className={classes.view}>
      {/* The empty state has its own button. */}
      <PageHeader
        title="Subjects"
        {...(back && { back })}
        action={!isEmpty && renderAddButton('filled')}
      />
      <Card>
        {subjects.isError && !subjects.data ? (
          <LoadError onRetry={() => void subjects.refetch()}>
            We couldn't load your subjects.
          </LoadError>
        ) : !subjects.data ? (
          <RowSkeleton rows={3} />
        ) : isEmpty ? (
          <EmptyState
            illustration={<Illustration name="book" size={112} />}
            action={renderAddButton('light')}
          >
            No subjects yet. Add what you teach and what a lesson costs.
          </EmptyState>
        ) : (
          <ul>
            {subjects.data.map((subject) => (
              <RowWithEditAndDelete
                key={subject.id}
                avatar={<SubjectAvatar initials={initials(subject.name)} color={subject.color} />}
                name={subject.name}
                aside={formatMoney(toMinor(subject.defaultFee), subject.currency, 'en-GB')}
                onEdit={() => open('edit', subject)}
                onDelete={() => open('delete', subject)}
              >
                <p>{subject.description || 'No description'}</p>
              </RowWithEditAndDelete>
            ))}
          </ul>
        )}
      </Card>
      <SubjectDialog subject={selectedSubject} opened={opened === 'edit'} onClose={close} />
      {selectedSubject && (
        <DeleteSubjectModal
          subject={selectedSubject}
          opened={opened === 'delete'}
          onClose={close}
        />
      )}
    </div>
  );
}

const DEFAULT_FEE = 30;

const COLOR_OPTIONS = SUBJECT_COLORS.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** In the order they appear on screen. */
const toFormValues = (subject: Subject | null) => ({
  name: subject?.name ?? '',
  description: subject?.description ?? '',
  defaultFee: formatAmountInput(subject?.defaultFee ?? DEFAULT_FEE),
  currency: subject?.currency ?? 'GBP',
  color: subject?.color ?? '',
});

type SubjectFormValues = Record<keyof ReturnType<typeof toFormValues>, string>;

/** An empty amount becomes 0, which is rejected: a lesson may be free, but a default fee may not. */
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
