import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { BottomSheet } from './BottomSheet.tsx';
import classes from './ConfirmSheet.module.css';

interface Props {
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
export function ConfirmSheet({ title, opened, onClose, children, ...buttons }: Props) {
  return (
    <BottomSheet title={title} opened={opened} onClose={onClose}>
      <div className={classes.words}>{children}</div>
      <SheetButtons onCancel={onClose} color="red" {...buttons} />
    </BottomSheet>
  );
}

interface ButtonsProps {
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
export function SheetButtons({
  onCancel,
  cancel = 'Cancel',
  confirm,
  busy,
  isBusy,
  disabled = false,
  color = 'board',
  onConfirm,
}: ButtonsProps) {
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
