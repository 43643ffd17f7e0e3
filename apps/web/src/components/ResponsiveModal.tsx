import type { ReactNode } from 'react';
import { LayeredModal } from './LayeredModal.tsx';
import classes from './ResponsiveModal.module.css';

interface ResponsiveModalProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** For choices and confirmations. Opens from the bottom on phones and in the centre on wide screens. */
export function ResponsiveModal({ title, opened, onClose, children }: ResponsiveModalProps) {
  return (
    <LayeredModal
      opened={opened}
      onClose={onClose}
      title={title}
      size={420}
      classNames={{
        inner: classes.inner ?? '',
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
      }}
    >
      {children}
    </LayeredModal>
  );
}
