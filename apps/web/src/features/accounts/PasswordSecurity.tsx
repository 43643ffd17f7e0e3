import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import classes from './Security.module.css';

const PasswordSheet = lazy(async () => ({
  default: (await import('./PasswordSheet.tsx')).PasswordSheet,
}));

interface Props {
  hasPassword: boolean;
  locked: boolean;
}

export function PasswordSecurity({ hasPassword, locked }: Props) {
  const [opened, setOpened] = useState(false);
  const act = hasPassword ? 'Change password' : 'Choose a password';
  return (
    <Sheet
      heading="Password"
      aside={
        !locked && (
          <Button variant="light" onClick={() => setOpened(true)}>
            {act}
          </Button>
        )
      }
    >
      <p className={classes.words}>
        {hasPassword
          ? 'A long one that you use nowhere else is the best guard.'
          : 'You log in with Google. A password is a second way in.'}
      </p>
      <WhenOpened opened={opened}>
        <PasswordSheet act={act} opened={opened} onClose={() => setOpened(false)} />
      </WhenOpened>
    </Sheet>
  );
}
