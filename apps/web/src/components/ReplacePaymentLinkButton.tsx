import { Button } from '@mantine/core';
import { useState } from 'react';
import { LazyConfirmModal } from './LazyConfirmModal.tsx';

interface Props {
  isReplacing: boolean;
  onReplace: (callbacks: { onSuccess: () => void }) => void;
}

/** Replaces a payment link that has fallen into the wrong hands. */
export function ReplacePaymentLinkButton({ isReplacing, onReplace }: Props) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened(true)}>
        Replace link
      </Button>
      <LazyConfirmModal
        title="Replace the link?"
        opened={opened}
        onClose={close}
        confirmLabel="Replace link"
        busyLabel="Replacing..."
        isBusy={isReplacing}
        onConfirm={() => onReplace({ onSuccess: close })}
      >
        The old link will stop working straight away, including in messages you've already sent.
        Send the family the new link.
      </LazyConfirmModal>
    </>
  );
}
