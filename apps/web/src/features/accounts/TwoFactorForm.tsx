import { CodeInput, type MfaChallenge } from '@lessonbook/contract/mfa';
import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FormLinks } from '../../components/AuthFormParts.tsx';
import { Form } from '../../components/Form.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useAuth } from './AuthProvider.tsx';
import { type CodeKind, MfaCodeField } from './MfaCodeField.tsx';
import {
  isMfaExpired,
  mfaChallengeQuery,
  useVerifyMfaCode,
  useVerifyMfaPasskey,
} from './mfa-login-api.ts';
import { supportsPasskeys } from './passkey-support.ts';

/** The second step of the login, shown instead of the password form. */
export function TwoFactorForm({ onBack }: { onBack: () => void }) {
  const challenge = useQuery(mfaChallengeQuery);
  useEffect(() => {
    if (challenge.isError) onBack();
  }, [challenge.isError, onBack]);
  return (
    <section aria-label="Second step">
      {challenge.data ? (
        <TwoFactorMethods challenge={challenge.data} onBack={onBack} />
      ) : (
        <RowSkeleton rows={1} />
      )}
    </section>
  );
}

function TwoFactorMethods({ challenge, onBack }: { challenge: MfaChallenge; onBack: () => void }) {
  const canUsePasskey = challenge.passkey && supportsPasskeys();
  const [kind, setKind] = useState<CodeKind | null>(
    challenge.authenticator ? 'app' : canUsePasskey ? null : 'recovery',
  );
  return (
    <>
      {canUsePasskey && <PasskeyMethod filled={kind === null} onBack={onBack} />}
      {/* Each kind has its own key, so that switching clears the input. */}
      {kind && <CodeMethod key={kind} kind={kind} onBack={onBack} />}
      <FormLinks>
        {kind === 'recovery' ? (
          challenge.authenticator && (
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
      <FormLinks>
        <Link to="/account-recovery">Lost your phone and codes?</Link>
      </FormLinks>
    </>
  );
}

function PasskeyMethod({ filled, onBack }: { filled: boolean; onBack: () => void }) {
  const verify = useVerifyMfaPasskey();
  const { state } = useAuth();
  return (
    <Button
      fullWidth
      mb={filled ? 0 : 20}
      variant={filled ? 'filled' : 'default'}
      leftSection={<IconFingerprint size={20} stroke={1.8} />}
      disabled={verify.isPending || state === 'signed in'}
      onClick={() =>
        verify.mutate(undefined, { onError: (error) => void (isMfaExpired(error) && onBack()) })
      }
    >
      Use your passkey
    </Button>
  );
}

function CodeMethod({ kind, onBack }: { kind: CodeKind; onBack: () => void }) {
  const verify = useVerifyMfaCode();
  const { state } = useAuth();
  const { form, onSubmit } = useForm({
    schema: CodeInput,
    initialValues: { code: '' },
    confirmsDiscard: false,
  });

  // This form replaces another without a click, so focus has to be moved.
  const { getInputNode } = form;
  useEffect(() => getInputNode('code')?.focus(), [getInputNode]);

  return (
    <Form
      onSubmit={onSubmit(({ code }) =>
        verify.mutateAsync(code, { onError: (error) => isMfaExpired(error) && onBack() }),
      )}
      submitLabel="Log in"
      busyLabel="Logging in..."
      isBusy={verify.isPending || state === 'signed in'}
    >
      <MfaCodeField key={form.key('code')} kind={kind} field={form.getInputProps('code')} />
    </Form>
  );
}
