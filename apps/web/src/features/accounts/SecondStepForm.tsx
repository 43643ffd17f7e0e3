import { CodeInput, type SecondStep } from '@lessonbook/contract/second-factor';
import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FormWays } from '../../components/EntryLayout.tsx';
import { Form } from '../../components/Form.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { useAuth } from './auth.tsx';
import { CodeField, type CodeKind } from './CodeField.tsx';
import { hasPasskeys } from './passkey-device.ts';
import { isStepOver, secondStepQuery, useGiveCode, useGivePasskey } from './second-step-api.ts';

/** After the password, in its place: what else opens this book. */
export function SecondStepForm({ onBack }: { onBack: () => void }) {
  const step = useQuery(secondStepQuery);
  useEffect(() => {
    if (step.isError) onBack();
  }, [step.isError, onBack]);
  return (
    <section aria-label="Second step">
      {step.data ? <Ways step={step.data} onBack={onBack} /> : <RowSkeleton rows={1} />}
    </section>
  );
}

function Ways({ step, onBack }: { step: SecondStep; onBack: () => void }) {
  const passkey = step.passkey && hasPasskeys();
  const [kind, setKind] = useState<CodeKind | null>(
    step.authenticator ? 'app' : passkey ? null : 'recovery',
  );
  return (
    <>
      {passkey && <PasskeyWay filled={kind === null} onBack={onBack} />}
      {/* Another kind is another field: nothing typed into the one stays in the other. */}
      {kind && <CodeWay key={kind} kind={kind} onBack={onBack} />}
      <FormWays>
        {kind === 'recovery' ? (
          step.authenticator && (
            <Button variant="subtle" onClick={() => setKind('app')}>
              Use the authenticator app
            </Button>
          )
        ) : (
          <Button variant="subtle" onClick={() => setKind('recovery')}>
            Use a recovery code
          </Button>
        )}
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
      </FormWays>
    </>
  );
}

function PasskeyWay({ filled, onBack }: { filled: boolean; onBack: () => void }) {
  const give = useGivePasskey();
  const { state } = useAuth();
  return (
    <Button
      fullWidth
      mb={filled ? 0 : 20}
      variant={filled ? 'filled' : 'default'}
      leftSection={<IconFingerprint size={20} stroke={1.8} />}
      disabled={give.isPending || state === 'signed in'}
      onClick={() =>
        give.mutate(undefined, { onError: (error) => void (isStepOver(error) && onBack()) })
      }
    >
      Use your passkey
    </Button>
  );
}

function CodeWay({ kind, onBack }: { kind: CodeKind; onBack: () => void }) {
  const give = useGiveCode();
  const { state } = useAuth();
  const { form, onSubmit, showRefusal } = useContractForm(CodeInput, { code: '' });

  // It comes by itself and not by a tap, so the hand is led to it.
  const { getInputNode } = form;
  useEffect(() => getInputNode('code')?.focus(), [getInputNode]);

  const refused = (error: Error) => (isStepOver(error) ? onBack() : showRefusal(error));
  return (
    <Form
      onSubmit={onSubmit(({ code }) => give.mutate(code, { onError: refused }))}
      submit="Log in"
      busy="Logging in..."
      isBusy={give.isPending || state === 'signed in'}
    >
      <CodeField key={form.key('code')} kind={kind} field={form.getInputProps('code')} />
    </Form>
  );
}
