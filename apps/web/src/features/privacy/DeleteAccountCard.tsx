import { DELETION_GRACE_DAYS } from '@lessonbook/contract/privacy';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { deletionQuery } from './api.ts';
import classes from './Privacy.module.css';

const DeleteAccountModal = lazy(async () => ({
  default: (await import('./DeleteAccountModal.tsx')).DeleteAccountModal,
}));

export function DeleteAccountCard() {
  const deletion = useQuery(deletionQuery);
  const [isConfirming, setIsConfirming] = useState(false);
  const isScheduled = Boolean(deletion.data?.deletesAt);
  const opened = isConfirming && !isScheduled;
  return (
    <Card heading="Delete account">
      <div className={classes.block}>
        <p className={classes.text}>
          {isScheduled
            ? 'The deletion has been asked for. The banner above takes it back.'
            : `After ${DELETION_GRACE_DAYS} days everything is removed for good. Until then you can change your mind. An export beforehand is a good idea.`}
        </p>
        {!isScheduled && (
          <Button
            variant="light"
            color="red"
            disabled={!deletion.data}
            onClick={() => setIsConfirming(true)}
          >
            Delete my account
          </Button>
        )}
      </div>
      <LazyMount opened={opened}>
        <DeleteAccountModal
          proof={deletion.data?.proof}
          opened={opened}
          onClose={() => setIsConfirming(false)}
        />
      </LazyMount>
    </Card>
  );
}
