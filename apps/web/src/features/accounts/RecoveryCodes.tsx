import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { count } from '../../lib/format.ts';
import { useDelicate } from './ConfirmGate.tsx';
import classes from './Security.module.css';
import { useNewRecoveryCodes } from './security-api.ts';

interface Props {
  left: number;
  locked: boolean;
  onCodes: (codes: string[]) => void;
}

/** For the day on which the phone is lost. */
export function RecoveryCodes({ left, locked, onCodes }: Props) {
  const [asking, setAsking] = useState(false);
  const renew = useNewRecoveryCodes();
  const run = useDelicate(renew);
  return (
    <Sheet
      heading="Recovery codes"
      aside={
        !locked && (
          <Button variant="light" onClick={() => setAsking(true)}>
            Make new codes
          </Button>
        )
      }
    >
      <p className={classes.words}>
        {left === 0 ? 'None left.' : `${count(left, 'code')} left.`} Each opens your book once in
        place of a passkey or the app.
      </p>
      <ConfirmSheet
        title="Make new recovery codes?"
        opened={asking}
        onClose={() => setAsking(false)}
        confirm="Make ten new codes"
        busy="Making..."
        isBusy={renew.isPending}
        onConfirm={() =>
          run(undefined, {
            onSuccess: ({ recoveryCodes }) => {
              setAsking(false);
              onCodes(recoveryCodes);
            },
          })
        }
      >
        <p>The codes that you kept so far no longer work.</p>
      </ConfirmSheet>
    </Sheet>
  );
}
