import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { FormEventHandler, ReactNode } from 'react';
import { useConfirmLeave } from '../lib/unsaved-changes.ts';
import { nextPaint } from '../lib/yield-or-wait-for-paint.ts';
import classes from './FormDialog.module.css';
import { LayeredModal } from './LayeredModal.tsx';

interface DialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A form dialog, full screen on phones. Its content is unmounted on close. */
export function Dialog({ title, opened, onClose, children }: DialogProps) {
  return (
    <LayeredModal
      opened={opened}
      onClose={onClose}
      title={title}
      size={580}
      // Clicking outside must not discard the input.
      closeOnClickOutside={false}
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

interface FormProps {
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  /** For dialogs where 'Cancel' could be read as cancelling lessons. */
  cancelLabel?: string;
  submitLabel: string;
  isBusy: boolean;
  /** A second way to save. On phones it is below the fields, because the footer fits only two buttons. */
  secondaryAction?: ReactNode;
  children: ReactNode;
}

/** The fields and a sticky footer. */
export function DialogForm({
  onSubmit,
  onCancel,
  cancelLabel = 'Cancel',
  submitLabel,
  isBusy,
  secondaryAction,
  children,
}: FormProps) {
  const confirmLeave = useConfirmLeave();
  const wide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <div className={classes.fields}>
        {children}
        {!wide && secondaryAction}
      </div>
      <div className={classes.footer} data-sticky-footer>
        {wide && <div className={classes.secondary}>{secondaryAction}</div>}
        <Button
          variant="default"
          onClick={() => void nextPaint().then(() => confirmLeave(onCancel))}
        >
          {cancelLabel}
        </Button>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Saving...' : submitLabel}
        </Button>
      </div>
    </form>
  );
}
