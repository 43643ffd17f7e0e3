import { Switch } from '@mantine/core';
import { setOfflineOwner, useOfflineOwner } from '../../lib/offline-owner.ts';
import { disableOffline } from '../../lib/offline-store.ts';
import classes from './OfflineToggle.module.css';

/** The shell reacts to the owner and starts syncing. Turning the switch off clears the data immediately. */
export function OfflineToggle({ tutorId }: { tutorId: string }) {
  const isEnabled = useOfflineOwner() === tutorId;
  return (
    <Switch
      size="md"
      label="This is my own device"
      description="Keeps the next 14 days of lessons (times, first names, subjects) and the balances in this browser, to read without a network. No contacts, no notes. They go when you log out, when your login ends, when somebody else logs in here, when you switch this off, and after 7 days without a connection."
      labelPosition="left"
      withThumbIndicator={false}
      checked={isEnabled}
      classNames={{ body: classes.body ?? '', labelWrapper: classes.label ?? '' }}
      onChange={(event) => {
        if (event.currentTarget.checked) setOfflineOwner(tutorId);
        else void disableOffline();
      }}
    />
  );
}
