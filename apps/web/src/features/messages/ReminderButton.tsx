import { Button } from '@mantine/core';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';

const ReminderModal = lazy(async () => ({
  default: (await import('./SendMessageForms.tsx')).ReminderModal,
}));

export function ReminderButton({ familyId }: { familyId: number }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="light" onClick={() => setOpened(true)}>
        Remind
      </Button>
      <LazyMount opened={opened}>
        <ReminderModal familyId={familyId} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}
