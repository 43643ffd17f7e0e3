import type { Passkey } from '@lessonbook/contract/security';
import { ActionIcon, Button } from '@mantine/core';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { formatRelativeDate } from '../../lib/format.ts';
import { type DateContext, toLocalDate } from '../../lib/format-timestamp.ts';
import type { PasskeyAction } from './PasswordAndPasskeyModals.tsx';
import { supportsPasskeys } from './passkey-support.ts';
import classes from './Security.module.css';

const PasskeyModals = lazy(async () => ({
  default: (await import('./PasswordAndPasskeyModals.tsx')).PasskeyModals,
}));

interface Props {
  passkeys: readonly Passkey[];
  locked: boolean;
  dateContext: DateContext;
  /** This browser's name in the list of logins, and the default name for its passkey. */
  deviceName: string;
  onRecoveryCodes: (codes: string[]) => void;
}

export function PasskeysCard({
  passkeys,
  locked,
  dateContext,
  deviceName,
  onRecoveryCodes,
}: Props) {
  const [action, setAction] = useState<PasskeyAction | null>(null);
  return (
    <Card
      heading="Passkeys"
      aside={
        !locked &&
        supportsPasskeys() && (
          <Button variant="light" onClick={() => setAction('add')}>
            Add a passkey
          </Button>
        )
      }
    >
      <p className={classes.text}>
        Log in with your fingerprint, face or screen lock. A passkey can't be guessed and only works
        on Lessonbook.
      </p>
      {passkeys.length > 0 && (
        <ul className={classes.rows}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={classes.row}>
              <IconFingerprint size={22} stroke={1.8} className={classes.icon} />
              <div className={classes.description}>
                <b>{passkey.name}</b>
                <small>{formatPasskeyHistory(passkey, dateContext)}</small>
              </div>
              {!locked && (
                <div className={classes.rowActions}>
                  <IconAction
                    label={`Rename ${passkey.name}`}
                    onClick={() => setAction({ rename: passkey })}
                  >
                    <IconPencil size={20} stroke={1.8} />
                  </IconAction>
                  <IconAction
                    label={`Remove ${passkey.name}`}
                    onClick={() => setAction({ remove: passkey })}
                  >
                    <IconTrash size={20} stroke={1.8} />
                  </IconAction>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      <LazyMount opened={action !== null}>
        <PasskeyModals
          action={action}
          deviceName={deviceName}
          isLast={passkeys.length === 1}
          onClose={() => setAction(null)}
          onRecoveryCodes={onRecoveryCodes}
        />
      </LazyMount>
    </Card>
  );
}

function formatPasskeyHistory(
  { createdAt, lastUsedAt }: Passkey,
  dateContext: DateContext,
): string {
  const formatDay = (timestamp: string) =>
    formatRelativeDate(toLocalDate(timestamp, dateContext), dateContext.today);
  const added = `Added ${formatDay(createdAt)}`;
  return lastUsedAt ? `${added}, last used ${formatDay(lastUsedAt)}` : `${added}, not used yet`;
}

interface IconActionProps {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}

const IconAction = ({ label, onClick, children }: IconActionProps) => (
  <ActionIcon variant="subtle" color="gray" size={44} aria-label={label} onClick={onClick}>
    {children}
  </ActionIcon>
);
