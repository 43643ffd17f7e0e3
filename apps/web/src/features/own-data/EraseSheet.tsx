import { EraseInput, type Person } from '@lessonbook/contract/own-data';
import { TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useErasePerson } from './api.ts';
import classes from './ErasePeople.module.css';

interface Props {
  person: Person | null;
  onClose: () => void;
}

export function EraseSheet({ person, onClose }: Props) {
  return (
    <BottomSheet
      title={person ? `Erase ${person.name} for good?` : ''}
      opened={person !== null}
      onClose={onClose}
    >
      {person && <Question key={`${person.kind} ${person.id}`} person={person} onClose={onClose} />}
    </BottomSheet>
  );
}

const Typed = z.pick(EraseInput, { name: true });

function Question({ person, onClose }: { person: Person; onClose: () => void }) {
  const erase = useErasePerson();
  const { form, onSubmit, showRefusal } = useContractForm(Typed, { name: '' });
  const { kind, id, name } = person;
  return (
    <form
      className={classes.question}
      noValidate
      onSubmit={onSubmit((values) =>
        erase.mutate({ kind, id, name: values.name }, { onSuccess: onClose, onError: showRefusal }),
      )}
    >
      <ul>
        {kind === 'student' ? (
          <li>Lessons still to come are cancelled. We tell nobody: please do so beforehand.</li>
        ) : (
          <li>Their children stay. From now on each child has an account of its own.</li>
        )}
        <li>What was sent to them, and what was noted about them, goes.</li>
        <li>Amounts and invoices stay as those of an “Erased person”.</li>
      </ul>
      <TextInput
        label={`Type “${name}” to confirm`}
        autoComplete="off"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <SheetButtons
        color="red"
        onCancel={onClose}
        confirm="Erase for good"
        busy="Erasing..."
        isBusy={erase.isPending}
      />
    </form>
  );
}
