import { lazy, type ReactNode, useState } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import type { PaidFor } from './api.ts';

const RecordPaymentDialog = lazy(async () => ({
  default: (await import('./RecordPaymentDialog.tsx')).RecordPaymentDialog,
}));

interface Props {
  paidFor: PaidFor;
  /** The button. */
  children: (open: () => void) => ReactNode;
}

/** A button, and the dialog behind it. */
export function RecordPayment({ paidFor, children }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {children(() => setOpened(true))}
      <WhenOpened opened={opened}>
        <RecordPaymentDialog paidFor={paidFor} opened={opened} onClose={() => setOpened(false)} />
      </WhenOpened>
    </>
  );
}
