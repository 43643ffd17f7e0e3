import { CodeInput } from '@lessonbook/contract/mfa';
import { ReauthenticateInput, type SecurityOverview } from '@lessonbook/contract/security';
import { Button, PasswordInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '../../components/Form.tsx';
import { RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useSchemaForm } from '../../lib/use-form.ts';
import { CodeField, type CodeKind } from './CodeField.tsx';
import classes from './ReauthDialog.module.css';
import {
  securityQuery,
  useReauthByCode,
  useReauthByPasskey,
  useReauthByPassword,
} from './security-api.ts';
import { supportsPasskeys } from './webauthn.ts';

interface Props {
  onProven: () => void;
  onClose: () => void;
}

/** Three ways to show it. Apart from the gate, since few ever see it. */
export function ReauthDialog({ onProven, onClose }: Props) {
  return (
    <ResponsiveModal title="Is it still you?" opened onClose={onClose}>
      <ReauthContent onProven={onProven} />
    </ResponsiveModal>
  );
}

function ReauthContent({ onProven }: { onProven: () => void }) {
  const { data } = useQuery(securityQuery);
  if (!data) return <RowSkeleton rows={1} />;
  return <ReauthMethods security={data} onProven={onProven} />;
}

type ReauthMethod = 'password' | CodeKind;

function ReauthMethods({
  security,
  onProven,
}: {
  security: SecurityOverview;
  onProven: () => void;
}) {
  const passkey = security.passkeys.length > 0 && supportsPasskeys();
  const [way, setWay] = useState<ReauthMethod | null>(defaultMethod(security));
  if (!way && !passkey)
    return (
      <p className={classes.words}>
        You log in with Google. Please log out and in again, and then do this within ten minutes.
      </p>
    );
  const others = availableMethods(security).filter((each) => each !== way);
  return (
    <div className={classes.ways}>
      <p className={classes.words}>This needs a confirmation now and then.</p>
      {passkey && <PasskeyMethod filled={way === null} onProven={onProven} />}
      {way === 'password' && <PasswordMethod onProven={onProven} />}
      {(way === 'app' || way === 'recovery') && (
        <CodeMethod key={way} kind={way} onProven={onProven} />
      )}
      <div className={classes.others}>
        {others.map((other) => (
          <Button key={other} variant="subtle" size="sm" onClick={() => setWay(other)}>
            {methodLabels[other]}
          </Button>
        ))}
      </div>
    </div>
  );
}

const methodLabels: Record<ReauthMethod, string> = {
  password: 'Use the password',
  app: 'Use the authenticator app',
  recovery: 'Use a recovery code',
};

const availableMethods = (security: SecurityOverview): ReauthMethod[] => [
  ...(security.hasPassword ? (['password'] as const) : []),
  ...(security.authenticatorOn ? (['app'] as const) : []),
  ...(!security.hasPassword && security.recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
];

function defaultMethod(security: SecurityOverview): ReauthMethod | null {
  const [first = null] = availableMethods(security);
  return first === 'recovery' && supportsPasskeys() ? null : first;
}

function PasskeyMethod({ filled, onProven }: { filled: boolean; onProven: () => void }) {
  const confirm = useReauthByPasskey();
  return (
    <Button
      fullWidth
      variant={filled ? 'filled' : 'default'}
      leftSection={<IconFingerprint size={20} stroke={1.8} />}
      disabled={confirm.isPending}
      onClick={() => confirm.mutate(undefined, { onSuccess: onProven })}
    >
      Use your passkey
    </Button>
  );
}

function PasswordMethod({ onProven }: { onProven: () => void }) {
  const confirm = useReauthByPassword();
  const { form, onSubmit, showServerErrors } = useSchemaForm(ReauthenticateInput, { password: '' });
  return (
    <Form
      onSubmit={onSubmit(({ password }) =>
        confirm.mutate(password, { onSuccess: onProven, onError: showServerErrors }),
      )}
      submit="Confirm"
      busy="Checking..."
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

function CodeMethod({ kind, onProven }: { kind: CodeKind; onProven: () => void }) {
  const confirm = useReauthByCode();
  const { form, onSubmit, showServerErrors } = useSchemaForm(CodeInput, { code: '' });
  return (
    <Form
      onSubmit={onSubmit(({ code }) =>
        confirm.mutate(code, { onSuccess: onProven, onError: showServerErrors }),
      )}
      submit="Confirm"
      busy="Checking..."
      isBusy={confirm.isPending}
    >
      <CodeField key={form.key('code')} kind={kind} field={form.getInputProps('code')} />
    </Form>
  );
}
