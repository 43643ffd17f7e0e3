import type { Passkey } from '@lessonbook/contract/security';
import { ActionIcon, Button } from '@mantine/core';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { nearDate } from '../../lib/format.ts';
import { dateAt, type Wall } from '../../lib/moments.ts';
import type { PasskeyAct } from './PasskeySheets.tsx';
import { hasPasskeys } from './passkey-device.ts';
import classes from './Security.module.css';

const PasskeySheets = lazy(async () => ({
  default: (await import('./PasskeySheets.tsx')).PasskeySheets,
}));

interface Props {
  passkeys: readonly Passkey[];
  locked: boolean;
  wall: Wall;
  /** What this browser is called in the list of logins: a first name for its passkey. */
  thisDevice: string;
  onCodes: (codes: string[]) => void;
}

export function PasskeySecurity({ passkeys, locked, wall, thisDevice, onCodes }: Props) {
  const [act, setAct] = useState<PasskeyAct | null>(null);
  return (
    <Sheet
      heading="Passkeys"
      aside={
        !locked &&
        hasPasskeys() && (
          <Button variant="light" onClick={() => setAct('add')}>
            Add a passkey
          </Button>
        )
      }
    >
      <p className={classes.words}>
        Log in with your finger, face or screen lock. It cannot be guessed and works on our own
        pages alone.
      </p>
      {passkeys.length > 0 && (
        <ul className={classes.rows}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={classes.row}>
              <IconFingerprint size={22} stroke={1.8} className={classes.icon} />
              <div className={classes.what}>
                <b>{passkey.name}</b>
                <small>{historyOf(passkey, wall)}</small>
              </div>
              {!locked && (
                <div className={classes.acts}>
                  <RowAct
                    label={`Rename ${passkey.name}`}
                    onClick={() => setAct({ rename: passkey })}
                  >
                    <IconPencil size={20} stroke={1.8} />
                  </RowAct>
                  <RowAct
                    label={`Remove ${passkey.name}`}
                    onClick={() => setAct({ remove: passkey })}
                  >
                    <IconTrash size={20} stroke={1.8} />
                  </RowAct>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      <WhenOpened opened={act !== null}>
        <PasskeySheets
          act={act}
          thisDevice={thisDevice}
          isLast={passkeys.length === 1}
          onClose={() => setAct(null)}
          onCodes={onCodes}
        />
      </WhenOpened>
    </Sheet>
  );
}

function historyOf({ createdAt, lastUsedAt }: Passkey, wall: Wall): string {
  const day = (moment: string) => nearDate(dateAt(moment, wall), wall.today);
  const added = `Added ${day(createdAt)}`;
  return lastUsedAt ? `${added}, last used ${day(lastUsedAt)}` : `${added}, not used yet`;
}

interface ActProps {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}

const RowAct = ({ label, onClick, children }: ActProps) => (
  <ActionIcon variant="subtle" color="gray" size={44} aria-label={label} onClick={onClick}>
    {children}
  </ActionIcon>
);
