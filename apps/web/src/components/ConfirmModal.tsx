import type { ReactNode } from 'react';
import { ModalActions } from './ModalActions.tsx';
import classes from './ResponsiveModal.module.css';
import { ResponsiveModal } from './ResponsiveModal.tsx';

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
