import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';

const PaymentReminderModal = lazy(async () => ({
  default: (await import('./SendInvoiceReceiptAndReminderForms.tsx')).PaymentReminderModal,
}));

export function PaymentReminderButton({ familyId }: { familyId: number }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBell size={18} stroke={1.8} />}
        onClick={() => setOpened(true)}
      >
        Remind
      </Button>
      <LazyMount opened={opened}>
        <PaymentReminderModal
          familyId={familyId}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      </LazyMount>
    </>
  );
}
