import { DELETION_GRACE_DAYS } from '@lessonbook/contract/privacy';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LazyConfirmModal } from '../../components/LazyConfirmModal.tsx';
import { deletionQuery, useScheduleDeletion } from './api.ts';
import classes from './Privacy.module.css';

export function DeleteAccountCard() {
  const deletion = useQuery(deletionQuery);
  const [isConfirming, setIsConfirming] = useState(false);
  const isScheduled = Boolean(deletion.data?.deletesAt);
  const scheduleDeletion = useScheduleDeletion();
  const close = () => setIsConfirming(false);
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
      <LazyConfirmModal
        title="Delete your account?"
        opened={isConfirming && !isScheduled}
        onClose={close}
        confirmLabel="Delete account"
        busyLabel="Deleting..."
        isBusy={scheduleDeletion.isPending}
        onConfirm={() => scheduleDeletion.mutate(undefined, { onSuccess: close })}
      >
        Students, families, lessons, payments and invoices: everything is removed in{' '}
        {DELETION_GRACE_DAYS} days. We send you an email now, and one when it is done.
      </LazyConfirmModal>
    </Card>
  );
}
