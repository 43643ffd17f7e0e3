import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react';

/** Mounts a lazy dialog or modal when it is first opened, and keeps it mounted for the closing transition. */
export function LazyMount({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [hasOpened, setHasOpened] = useState(opened);
  if (opened && !hasOpened) setHasOpened(true);
  return hasOpened && <Suspense fallback={null}>{children}</Suspense>;
}

const ConfirmModal = lazy(async () => ({
  default: (await import('./ResponsiveModal.tsx')).ConfirmModal,
}));

/** A confirmation whose code is fetched when it is first opened. */
export function LazyConfirmModal(props: ComponentProps<typeof ConfirmModal>) {
  return (
    <LazyMount opened={props.opened}>
      <ConfirmModal {...props} />
    </LazyMount>
  );
}
