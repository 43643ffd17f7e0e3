import { CodeInput, type MfaChallenge } from '@lessonbook/contract/mfa';
import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FormLinks } from '../../components/AuthLayout.tsx';
import { Form } from '../../components/Form.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { useSchemaForm } from '../../lib/use-form.ts';
import { useAuth } from './auth.tsx';
import { CodeField, type CodeKind } from './CodeField.tsx';
import {
  isMfaExpired,
  mfaChallengeQuery,
  useVerifyMfaCode,
  useVerifyMfaPasskey,
} from './mfa-api.ts';
import { supportsPasskeys } from './webauthn.ts';

/** After the password, in its place: what else opens this book. */
export function TwoFactorForm({ onBack }: { onBack: () => void }) {
  const step = useQuery(mfaChallengeQuery);
  useEffect(() => {
    if (step.isError) onBack();
  }, [step.isError, onBack]);
  return (
    <section aria-label="Second step">
      {step.data ? <TwoFactorMethods step={step.data} onBack={onBack} /> : <RowSkeleton rows={1} />}
    </section>
  );
}

function TwoFactorMethods({ step, onBack }: { step: MfaChallenge; onBack: () => void }) {
  const passkey = step.passkey && supportsPasskeys();
  const [kind, setKind] = useState<CodeKind | null>(
    step.authenticator ? 'app' : passkey ? null : 'recovery',
  );
  return (
    <>
      {passkey && <PasskeyMethod filled={kind === null} onBack={onBack} />}
      {/* Another kind is another field: nothing typed into the one stays in the other. */}
      {kind && <CodeMethod key={kind} kind={kind} onBack={onBack} />}
      <FormLinks>
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
      </FormLinks>
    </>
  );
}

function PasskeyMethod({ filled, onBack }: { filled: boolean; onBack: () => void }) {
  const give = useVerifyMfaPasskey();
  const { state } = useAuth();
  return (
    <Button
      fullWidth
      mb={filled ? 0 : 20}
      variant={filled ? 'filled' : 'default'}
      leftSection={<IconFingerprint size={20} stroke={1.8} />}
      disabled={give.isPending || state === 'signed in'}
      onClick={() =>
        give.mutate(undefined, { onError: (error) => void (isMfaExpired(error) && onBack()) })
      }
    >
      Use your passkey
    </Button>
  );
}

function CodeMethod({ kind, onBack }: { kind: CodeKind; onBack: () => void }) {
  const give = useVerifyMfaCode();
  const { state } = useAuth();
  const { form, onSubmit, showServerErrors } = useSchemaForm(CodeInput, { code: '' });

  // It comes by itself and not by a tap, so the hand is led to it.
  const { getInputNode } = form;
  useEffect(() => getInputNode('code')?.focus(), [getInputNode]);

  const refused = (error: Error) => (isMfaExpired(error) ? onBack() : showServerErrors(error));
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
