import { EraseInput, type Person } from '@lessonbook/contract/account-deletion-and-erasure';
import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { ModalActions } from '../../components/ModalActions.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useErasePerson } from './api.ts';
import classes from './ErasePeople.module.css';

interface Props {
  person: Person | null;
  onClose: () => void;
}

export function ErasePersonModal({ person, onClose }: Props) {
  return (
    <ResponsiveModal
      title={person ? `Erase ${person.name} permanently?` : ''}
      opened={person !== null}
      onClose={onClose}
    >
      {person && (
        <ErasePersonForm key={`${person.kind} ${person.id}`} person={person} onClose={onClose} />
      )}
    </ResponsiveModal>
  );
}

const ConfirmName = z.pick(EraseInput, { name: true });

function ErasePersonForm({ person, onClose }: { person: Person; onClose: () => void }) {
  const erase = useErasePerson();
  const { form, onSubmit } = useForm({
    schema: ConfirmName,
    initialValues: { name: '' },
    confirmsDiscard: false,
  });
  const { kind, id, name } = person;
  return (
    <form
      className={classes.question}
      noValidate
      onSubmit={onSubmit((values) => erase.mutateAsync({ kind, id, name: values.name }), onClose)}
    >
      <ul>
        {kind === 'student' ? (
          <li>
            Upcoming lessons will be cancelled. No messages will be sent, so let people know first.
          </li>
        ) : (
          <li>Their children stay, each with an account of their own.</li>
        )}
        <li>Messages to them and notes about them will be deleted.</li>
        <li>Amounts and invoices stay, under the name “Erased person”.</li>
      </ul>
      <TextInput
        label={`Type “${name}” to confirm`}
        autoComplete="off"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <ModalActions
        color="red"
        onCancel={onClose}
        confirmLabel="Erase permanently"
        busyLabel="Erasing..."
        isBusy={erase.isPending}
      />
    </form>
  );
}
