import { Button, Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './ResponsiveModal.module.css';

interface ResponsiveModalProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Choices and confirmations: a sheet from the bottom on phones, a small dialog on wide screens. */
export function ResponsiveModal({ title, opened, onClose, children }: ResponsiveModalProps) {
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

interface ConfirmModalProps {
  /** The question. */
  title: string;
  opened: boolean;
  onClose: () => void;
  confirm: string;
  busy: string;
  isBusy: boolean;
  onConfirm: () => void;
  /** What happens then, in words. */
  children: ReactNode;
}

/** Before something is removed: the question, what follows from it, and a button in pen. */
export function ConfirmModal({ title, opened, onClose, children, ...buttons }: ConfirmModalProps) {
  return (
    <ResponsiveModal title={title} opened={opened} onClose={onClose}>
      <div className={classes.words}>{children}</div>
      <ModalActions onCancel={onClose} color="red" {...buttons} />
    </ResponsiveModal>
  );
}

interface ModalActionsProps {
  onCancel: () => void;
  cancel?: string;
  confirm: string;
  busy: string;
  isBusy: boolean;
  disabled?: boolean;
  /** Pen is for what destroys. */
  color?: 'red' | 'board';
  /** Without it the button sends the form that it stands in. */
  onConfirm?: () => void;
}

/** The two equal buttons at the foot of a sheet. */
export function ModalActions({
  onCancel,
  cancel = 'Cancel',
  confirm,
  busy,
  isBusy,
  disabled = false,
  color = 'board',
  onConfirm,
}: ModalActionsProps) {
  return (
    <div className={classes.buttons}>
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
      <Button
        type={onConfirm ? 'button' : 'submit'}
        color={color}
        disabled={isBusy || disabled}
        onClick={onConfirm}
      >
        {isBusy ? busy : confirm}
      </Button>
    </div>
  );
}
