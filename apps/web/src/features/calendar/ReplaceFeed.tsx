import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { useReplaceFeed } from './api.ts';

export function ReplaceFeed() {
  const [opened, setOpened] = useState(false);
  const replace = useReplaceFeed();
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened(true)}>
        Replace address
      </Button>
      <ConfirmSheet
        title="Replace the address?"
        opened={opened}
        onClose={close}
        confirm="Replace"
        busy="Replacing..."
        isBusy={replace.isPending}
        onConfirm={() => replace.mutate(undefined, { onSuccess: close })}
      >
        Calendars that subscribed to the old address stop updating at once. You can subscribe them
        again to the new one.
      </ConfirmSheet>
    </>
  );
}
