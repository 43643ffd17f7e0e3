import { Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './BottomSheet.module.css';

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Choices and confirmations: a sheet from the bottom on phones, a small dialog on wide screens. */
export function BottomSheet({ title, opened, onClose, children }: Props) {
  // One that comes into the page already open would not know where the focus was, and could not give it back.
  const mounted = useMounted();
  return (
    <Modal
      opened={opened && mounted}
      onClose={onClose}
      title={title}
      size={420}
      centered
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 22 }}
      // Its header would count as a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{
        inner: classes.inner ?? '',
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
      }}
    >
      {children}
    </Modal>
  );
}
