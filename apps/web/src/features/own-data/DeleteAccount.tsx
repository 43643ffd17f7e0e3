import { type Deletion, DeletionInput, GRACE_DAYS } from '@lessonbook/contract/own-data';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { deletionQuery, useAskForDeletion } from './api.ts';
import classes from './OwnData.module.css';

export function DeleteAccount() {
  const deletion = useQuery(deletionQuery);
  const [asking, setAsking] = useState(false);
  const waits = Boolean(deletion.data?.deletesAt);
  return (
    <Sheet heading="Delete account">
      <div className={classes.block}>
        <p className={classes.words}>
          {waits
            ? 'The deletion has been asked for. The banner above takes it back.'
            : `After ${GRACE_DAYS} days everything is removed for good. Until then you can change your mind. An export beforehand is a good idea.`}
        </p>
        {!waits && (
          <Button
            variant="light"
            color="red"
            disabled={!deletion.data}
            onClick={() => setAsking(true)}
          >
            Delete my account
          </Button>
        )}
      </div>
      <BottomSheet
        title="Delete your account?"
        opened={asking && !waits}
        onClose={() => setAsking(false)}
      >
        {deletion.data && <Question proof={deletion.data.proof} onClose={() => setAsking(false)} />}
      </BottomSheet>
    </Sheet>
  );
}

function Question({ proof, onClose }: Pick<Deletion, 'proof'> & { onClose: () => void }) {
  const ask = useAskForDeletion();
  const { form, onSubmit, showRefusal } = useContractForm(DeletionInput, { proof: '' });
  const Field = proof === 'password' ? PasswordInput : TextInput;
  return (
    <form
      className={classes.question}
      noValidate
      onSubmit={onSubmit((values) =>
        ask.mutate(values, { onSuccess: onClose, onError: showRefusal }),
      )}
    >
      <p>
        Students, families, lessons, payments and invoices: all of it goes in {GRACE_DAYS} days. You
        get a mail now, and one when it is done.
      </p>
      <Field
        label={proof === 'password' ? 'Your password' : 'Type your username'}
        autoComplete={proof === 'password' ? 'current-password' : 'off'}
        data-autofocus
        key={form.key('proof')}
        {...form.getInputProps('proof')}
      />
      <SheetButtons
        color="red"
        onCancel={onClose}
        confirm="Delete account"
        busy="Deleting..."
        isBusy={ask.isPending}
      />
    </form>
  );
}
