import { Button } from '@mantine/core';
import { useConfirmLeave } from '../lib/unsaved-changes.ts';
import classes from './ResponsiveModal.module.css';

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
