import { lazy, type ReactNode, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import type { PaymentTarget } from './api.ts';

const RecordPaymentDialog = lazy(async () => ({
  default: (await import('./RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));

interface Props {
  paidFor: PaymentTarget;
  /** Renders the button. */
  children: (open: () => void) => ReactNode;
}

export function RecordPaymentTrigger({ paidFor, children }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {children(() => setOpened(true))}
      <LazyMount opened={opened}>
        <RecordPaymentDialog paidFor={paidFor} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}
