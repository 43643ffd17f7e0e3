import { CodeInput } from '@lessonbook/contract/second-factor';
import { ConfirmByPasswordInput, type Security } from '@lessonbook/contract/security';
import { Button, PasswordInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { Form } from '../../components/Form.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { useContractForm } from '../../lib/contract-form.ts';
import { CodeField, type CodeKind } from './CodeField.tsx';
import { hasPasskeys } from './passkey-device.ts';
import classes from './StillYou.module.css';
import {
  securityQuery,
  useConfirmByCode,
  useConfirmByPasskey,
  useConfirmByPassword,
} from './security-api.ts';

interface Props {
  onProven: () => void;
  onClose: () => void;
}

/** Three ways to show it. Apart from the gate, since few ever see it. */
export function StillYou({ onProven, onClose }: Props) {
  return (
    <BottomSheet title="Is it still you?" opened onClose={onClose}>
      <Proof onProven={onProven} />
    </BottomSheet>
  );
}

function Proof({ onProven }: { onProven: () => void }) {
  const { data } = useQuery(securityQuery);
  if (!data) return <RowSkeleton rows={1} />;
  return <Ways security={data} onProven={onProven} />;
}

type Way = 'password' | CodeKind;

function Ways({ security, onProven }: { security: Security; onProven: () => void }) {
  const passkey = security.passkeys.length > 0 && hasPasskeys();
  const [way, setWay] = useState<Way | null>(firstWay(security));
  if (!way && !passkey)
    return (
      <p className={classes.words}>
        You log in with Google. Please log out and in again, and then do this within ten minutes.
      </p>
    );
  const others = waysOf(security).filter((each) => each !== way);
  return (
    <div className={classes.ways}>
      <p className={classes.words}>This needs a confirmation now and then.</p>
      {passkey && <PasskeyProof filled={way === null} onProven={onProven} />}
      {way === 'password' && <PasswordProof onProven={onProven} />}
      {(way === 'app' || way === 'recovery') && (
        <CodeProof key={way} kind={way} onProven={onProven} />
      )}
      <div className={classes.others}>
        {others.map((other) => (
          <Button key={other} variant="subtle" size="sm" onClick={() => setWay(other)}>
            {wayNames[other]}
          </Button>
        ))}
      </div>
    </div>
  );
}

const wayNames: Record<Way, string> = {
  password: 'Use the password',
  app: 'Use the authenticator app',
  recovery: 'Use a recovery code',
};

const waysOf = (security: Security): Way[] => [
  ...(security.hasPassword ? (['password'] as const) : []),
  ...(security.authenticatorOn ? (['app'] as const) : []),
  ...(!security.hasPassword && security.recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
];

function firstWay(security: Security): Way | null {
  const [first = null] = waysOf(security);
  return first === 'recovery' && hasPasskeys() ? null : first;
}

function PasskeyProof({ filled, onProven }: { filled: boolean; onProven: () => void }) {
  const confirm = useConfirmByPasskey();
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

function PasswordProof({ onProven }: { onProven: () => void }) {
  const confirm = useConfirmByPassword();
  const { form, onSubmit, showRefusal } = useContractForm(ConfirmByPasswordInput, { password: '' });
  return (
    <Form
      onSubmit={onSubmit(({ password }) =>
        confirm.mutate(password, { onSuccess: onProven, onError: showRefusal }),
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

function CodeProof({ kind, onProven }: { kind: CodeKind; onProven: () => void }) {
  const confirm = useConfirmByCode();
  const { form, onSubmit, showRefusal } = useContractForm(CodeInput, { code: '' });
  return (
    <Form
      onSubmit={onSubmit(({ code }) =>
        confirm.mutate(code, { onSuccess: onProven, onError: showRefusal }),
      )}
      submit="Confirm"
      busy="Checking..."
      isBusy={confirm.isPending}
    >
      <CodeField key={form.key('code')} kind={kind} field={form.getInputProps('code')} />
    </Form>
  );
}
