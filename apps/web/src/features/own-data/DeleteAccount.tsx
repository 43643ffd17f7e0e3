import { GRACE_DAYS } from '@lessonbook/contract/own-data';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { deletionQuery } from './api.ts';
import classes from './OwnData.module.css';

const DeleteAccountSheet = lazy(async () => ({
  default: (await import('./DeleteAccountSheet.tsx')).DeleteAccountSheet,
}));

export function DeleteAccount() {
  const deletion = useQuery(deletionQuery);
  const [asking, setAsking] = useState(false);
  const waits = Boolean(deletion.data?.deletesAt);
  const opened = asking && !waits;
  return (
    <Sheet heading="Delete account">
      <div className={classes.block}>
        <p className={classes.words}>
          {waits
            ? 'The deletion has been asked for. The banner above takes it back.'
            : `After ${GRACE_DAYS} days everything is removed for good. Until then you can change your mind. An export beforehand is a good idea.`}
        </p>
        {!waits && (
          <Button
            variant="light"
            color="red"
            disabled={!deletion.data}
            onClick={() => setAsking(true)}
          >
            Delete my account
          </Button>
        )}
      </div>
      <WhenOpened opened={opened}>
        <DeleteAccountSheet
          proof={deletion.data?.proof}
          opened={opened}
          onClose={() => setAsking(false)}
        />
      </WhenOpened>
    </Sheet>
  );
}
