import { type ComponentProps, lazy } from 'react';
import { LazyMount } from './LazyMount.tsx';

const ConfirmModal = lazy(async () => ({
  default: (await import('./ConfirmModal.tsx')).ConfirmModal,
}));

/** A confirmation whose code is fetched when it is first opened. */
export function LazyConfirmModal(props: ComponentProps<typeof ConfirmModal>) {
  return (
    <LazyMount opened={props.opened}>
      <ConfirmModal {...props} />
    </LazyMount>
  );
}
