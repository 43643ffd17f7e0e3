import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmSheet } from '../../components/ConfirmSheet.tsx';
import { useDisconnectCalendar } from './api.ts';

export function Disconnect() {
  const [opened, setOpened] = useState(false);
  const disconnect = useDisconnectCalendar();
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setOpened(true)}>
        Disconnect
      </Button>
      <ConfirmSheet
        title="Disconnect Google Calendar?"
        opened={opened}
        onClose={close}
        confirm="Disconnect"
        busy="Disconnecting..."
        isBusy={disconnect.isPending}
        onConfirm={() => disconnect.mutate(undefined, { onSuccess: close })}
      >
        The lessons already in Google stay there, as they are now. No change to a lesson is sent any
        more, and none made in Google is noticed.
      </ConfirmSheet>
    </>
  );
}
