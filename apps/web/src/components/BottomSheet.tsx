import { Modal } from '@mantine/core';
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
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={420}
      centered
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 20 }}
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
