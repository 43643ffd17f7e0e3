import { Button, type ButtonProps } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import type { PaymentTarget } from './api.ts';

const RecordPaymentDialog = lazy(async () => ({
  default: (await import('./RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));

interface Props extends ButtonProps {
  /** Null lets the tutor choose the family. */
  target: PaymentTarget | null;
  'aria-label'?: string;
}

/** Opens the payment form. Callers that know the amount put it in the label. */
export function RecordPaymentButton({ target, children, ...button }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="light"
        leftSection={!children && <IconCash size={18} stroke={1.8} />}
        {...button}
        onClick={() => setOpened(true)}
      >
        {children ?? 'Record payment'}
      </Button>
      <LazyMount opened={opened}>
        <RecordPaymentDialog target={target} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}
