import { lazy, type ReactNode, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import type { PaymentTarget } from './api.ts';

const RecordPaymentDialog = lazy(async () => ({
  default: (await import('./RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));

interface Props {
  target: PaymentTarget;
  /** Renders the button. */
  children: (open: () => void) => ReactNode;
}

export function RecordPaymentTrigger({ target, children }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {children(() => setOpened(true))}
      <LazyMount opened={opened}>
        <RecordPaymentDialog target={target} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}
