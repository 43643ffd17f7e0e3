import { CodeInput } from '@lessonbook/contract/mfa';
import { ReauthenticateInput, type SecurityOverview } from '@lessonbook/contract/security';
import { Button, PasswordInput } from '@mantine/core';
import { IconBrandGoogleFilled, IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Form } from '../../components/Form.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useForm } from '../../lib/use-form.ts';
import { signInOptionsQuery } from './current-user.ts';
import { googleAuthUrl } from './google-api.ts';
import { type CodeKind, MfaCodeField } from './MfaCodeField.tsx';
import { supportsPasskeys } from './passkey-support.ts';
import classes from './ReauthDialog.module.css';
import {
  pendingGoogleQuery,
  securityQuery,
  useReauthByCode,
  useReauthByGoogle,
  useReauthByPasskey,
  useReauthByPassword,
} from './security-api.ts';

interface Props {
  onConfirmed: () => void;
  onClose: () => void;
}

/** Offers the ways to reauthenticate that the account has. Lazy, because it is rarely needed. */
export function ReauthDialog({ onConfirmed, onClose }: Props) {
  return (
    <ResponsiveModal title="Confirm it's you" opened onClose={onClose}>
      <ReauthContent onConfirmed={onConfirmed} />
    </ResponsiveModal>
  );
}

function ReauthContent({ onConfirmed }: { onConfirmed: () => void }) {
  const { data } = useQuery(securityQuery);
  if (!data) return <RowSkeleton rows={1} />;
  return <ReauthMethods security={data} onConfirmed={onConfirmed} />;
}

type ReauthMethod = 'password' | CodeKind;

function ReauthMethods({
  security,
  onConfirmed,
}: {
  security: SecurityOverview;
  onConfirmed: () => void;
}) {
  const canUsePasskey = security.passkeys.length > 0 && supportsPasskeys();
  const [method, setMethod] = useState<ReauthMethod | null>(getDefaultMethod(security));
  const others = getAvailableMethods(security).filter((other) => other !== method);
  return (
    <div className={classes.methods}>
      <p className={classes.text}>
        For security, please confirm it's you. What you've typed is still there.
      </p>
      {security.isDemo && <DemoPassword />}
      {canUsePasskey && <PasskeyMethod filled={method === null} onConfirmed={onConfirmed} />}
      {isGoogleOnly(security) && <GoogleMethod onConfirmed={onConfirmed} />}
      {method === 'password' && <PasswordMethod onConfirmed={onConfirmed} />}
      {(method === 'app' || method === 'recovery') && (
        <CodeMethod key={method} kind={method} onConfirmed={onConfirmed} />
      )}
      <div className={classes.others}>
        {others.map((other) => (
          <Button key={other} variant="subtle" size="sm" onClick={() => setMethod(other)}>
            {methodLabels[other]}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Visitors to the demo did not choose its password, so it is shown. */
function DemoPassword() {
  const { data } = useQuery(signInOptionsQuery);
  if (!data?.demo) return null;
  return <p className={classes.text}>The demo password is {data.demo.password}.</p>;
}

const methodLabels: Record<ReauthMethod, string> = {
  password: 'Use the password',
  app: 'Use the authenticator app',
  recovery: 'Use a recovery code',
};

/** The server accepts Google only for an account that has no other method. */
const isGoogleOnly = (security: SecurityOverview): boolean =>
  security.googleLinkedAt !== null &&
  !security.hasPassword &&
  !security.authenticatorOn &&
  security.passkeys.length === 0;

const getAvailableMethods = (security: SecurityOverview): ReauthMethod[] => [
  ...(security.hasPassword ? (['password'] as const) : []),
  ...(security.authenticatorOn ? (['app'] as const) : []),
  ...(!security.hasPassword && security.recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
];

function getDefaultMethod(security: SecurityOverview): ReauthMethod | null {
  const [first = null] = getAvailableMethods(security);
  return first === 'recovery' && supportsPasskeys() ? null : first;
}

function PasskeyMethod({ filled, onConfirmed }: { filled: boolean; onConfirmed: () => void }) {
  const confirm = useReauthByPasskey();
  return (
    <Button
      fullWidth
      variant={filled ? 'filled' : 'default'}
      leftSection={<IconFingerprint size={20} stroke={1.8} />}
      disabled={confirm.isPending}
      onClick={() => confirm.mutate(undefined, { onSuccess: onConfirmed })}
    >
      Use your passkey
    </Button>
  );
}

/** Google opens in another tab, so that this page keeps what was typed. */
function GoogleMethod({ onConfirmed }: { onConfirmed: () => void }) {
  const [hasStarted, setHasStarted] = useState(false);
  const { data } = useQuery({ ...pendingGoogleQuery, enabled: hasStarted });
  const confirm = useReauthByGoogle();
  const credential = data?.user?.credential;
  const onCredential = useEffectEvent((value: string) =>
    confirm.mutate(value, { onSuccess: onConfirmed, onError: () => setHasStarted(false) }),
  );
  useEffect(() => {
    if (credential) onCredential(credential);
  }, [credential]);
  return (
    <>
      <Button
        fullWidth
        variant="default"
        leftSection={<IconBrandGoogleFilled size={18} />}
        onClick={() => {
          setHasStarted(true);
          window.open(googleAuthUrl('login'), '_blank', 'noopener');
        }}
      >
        Continue with Google
      </Button>
      {hasStarted && (
        <p className={classes.text} role="status">
          Sign in with Google in the other tab, then come back here.
        </p>
      )}
    </>
  );
}

function PasswordMethod({ onConfirmed }: { onConfirmed: () => void }) {
  const confirm = useReauthByPassword();
  const { form, onSubmit } = useForm({
    schema: ReauthenticateInput,
    initialValues: { password: '' },
    confirmsDiscard: false,
  });
  return (
    <Form
      onSubmit={onSubmit(({ password }) => confirm.mutateAsync(password), onConfirmed)}
      submitLabel="Confirm"
      busyLabel="Checking..."
      isBusy={confirm.isPending}
    >
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </Form>
  );
}

function CodeMethod({ kind, onConfirmed }: { kind: CodeKind; onConfirmed: () => void }) {
  const confirm = useReauthByCode();
  const { form, onSubmit } = useForm({
    schema: CodeInput,
    initialValues: { code: '' },
    confirmsDiscard: false,
  });
  return (
    <Form
      onSubmit={onSubmit(({ code }) => confirm.mutateAsync(code), onConfirmed)}
      submitLabel="Confirm"
      busyLabel="Checking..."
      isBusy={confirm.isPending}
    >
      <MfaCodeField key={form.key('code')} kind={kind} field={form.getInputProps('code')} />
    </Form>
  );
}
