import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConfirmLeave } from '../lib/unsaved-changes.ts';
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

interface ConfirmModalProps {
  /** The question. */
  title: string;
  opened: boolean;
  onClose: () => void;
  cancelLabel?: string;
  confirmLabel: string;
  busyLabel: string;
  isBusy: boolean;
  onConfirm: () => void;
  /** What will happen. */
  children: ReactNode;
}

/** Confirms a destructive action. */
export function ConfirmModal({ title, opened, onClose, children, ...buttons }: ConfirmModalProps) {
  return (
    <ResponsiveModal title={title} opened={opened} onClose={onClose}>
      <div className={classes.text}>{children}</div>
      <ModalActions onCancel={onClose} color="red" {...buttons} />
    </ResponsiveModal>
  );
}

interface ModalActionsProps {
  onCancel: () => void;
  cancelLabel?: string;
  confirmLabel: string;
  busyLabel: string;
  isBusy: boolean;
  disabled?: boolean;
  /** Red for destructive actions. */
  color?: 'red' | 'board';
  /** If omitted, the button submits its form. */
  onConfirm?: () => void;
}

/** The two buttons at the bottom of a modal. */
export function ModalActions({
  onCancel,
  cancelLabel = 'Cancel',
  confirmLabel,
  busyLabel,
  isBusy,
  disabled = false,
  color = 'board',
  onConfirm,
}: ModalActionsProps) {
  const confirmLeave = useConfirmLeave();
  return (
    <div className={classes.buttons}>
      <Button variant="default" onClick={() => confirmLeave(onCancel)}>
        {cancelLabel}
      </Button>
      <Button
        type={onConfirm ? 'button' : 'submit'}
        color={color}
        disabled={isBusy || disabled}
        onClick={onConfirm}
      >
        {isBusy ? busyLabel : confirmLabel}
      </Button>
    </div>
  );
}
