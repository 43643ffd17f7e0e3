import {
  type EntryPage,
  LinkGoogleInput,
  type VouchedFor,
} from '@lessonbook/contract/google-sign-in';
import { Button, PasswordInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { FormReason, FormWays } from '../../components/EntryLayout.tsx';
import { Form } from '../../components/Form.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { ApiError } from '../../lib/http.ts';
import { useConnectGoogle } from './google-api.ts';
import { isSecondStep } from './refusals.ts';

interface Props {
  from: EntryPage;
  person: VouchedFor;
  onBack: () => void;
  onSecondStep: () => void;
}

/** Somebody with an account already comes by Google for the first time: its password shows that it is theirs. */
export function ConnectGoogleForm({ from, person, onBack, onSecondStep }: Props) {
  const connect = useConnectGoogle(from);
  const { form, onSubmit, showRefusal } = useContractForm(LinkGoogleInput, {
    credential: person.credential,
    password: '',
  });

  // It comes by itself and not by a tap, so the hand is led to it.
  const { getInputNode } = form;
  useEffect(() => getInputNode('password')?.focus(), [getInputNode]);

  function refused(error: Error) {
    if (isSecondStep(error)) return onSecondStep();
    showRefusal(error);
    // Too late: only a new way to Google helps.
    if (error instanceof ApiError && error.code === 'link_expired') onBack();
  }

  return (
    <section aria-label="Connect Google">
      <FormReason>
        You already have an account with <b>{person.email}</b>. Enter its password to connect
        Google.
      </FormReason>
      <Form
        onSubmit={onSubmit((values) => connect.mutate(values, { onError: refused }))}
        submit="Connect Google"
        busy="Connecting..."
        isBusy={connect.isPending || connect.isSuccess}
      >
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </Form>
      <FormWays>
        <Link to="/forgot-password">Forgot your password?</Link>
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
      </FormWays>
    </section>
  );
}
