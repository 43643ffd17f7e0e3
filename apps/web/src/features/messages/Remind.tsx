import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';

const RemindSheet = lazy(async () => ({
  default: (await import('./RemindSheet.tsx')).RemindSheet,
}));

/** A button, and the sheet behind it. */
export function Remind({ familyId }: { familyId: number }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="light" onClick={() => setOpened(true)}>
        Remind
      </Button>
      <WhenOpened opened={opened}>
        <RemindSheet familyId={familyId} opened={opened} onClose={() => setOpened(false)} />
      </WhenOpened>
    </>
  );
}
