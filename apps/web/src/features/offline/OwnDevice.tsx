import { Switch } from '@mantine/core';
import { stopKeeping } from '../../lib/kept-book.ts';
import { setOwnerOfDevice, useOwnerOfDevice } from '../../lib/own-device-switch.ts';
import classes from './OwnDevice.module.css';

/** The shell sees the switch and starts keeping; off is off at once. */
export function OwnDevice({ tutorId }: { tutorId: string }) {
  const on = useOwnerOfDevice() === tutorId;
  return (
    <Switch
      size="md"
      label="This is my own device"
      description="Keeps the next 14 days of lessons (times, first names, subjects) and the balances in this browser, to read without a network. No contacts, no notes. They go when you log out, when your login ends, when somebody else logs in here, when you switch this off, and after 7 days without a connection."
      labelPosition="left"
      withThumbIndicator={false}
      checked={on}
      classNames={{ body: classes.body ?? '', labelWrapper: classes.label ?? '' }}
      onChange={(event) => {
        if (event.currentTarget.checked) setOwnerOfDevice(tutorId);
        else void stopKeeping();
      }}
    />
  );
}
