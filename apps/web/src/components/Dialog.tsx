import { Button, Modal } from '@mantine/core';
import { useMediaQuery, useMounted } from '@mantine/hooks';
import type { FormEventHandler, ReactNode } from 'react';
import { nextPaint } from '../lib/yield-to-main.ts';
import classes from './Dialog.module.css';

interface DialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** A modal is open on top, so Escape closes only that modal. */
  covered?: boolean;
  children: ReactNode;
}

/** A form dialog, full screen on phones. Its content is unmounted on close. */
export function Dialog({ title, opened, onClose, covered = false, children }: DialogProps) {
  // A dialog that is mounted open cannot restore the focus, because Mantine records it only when `opened` changes.
  const mounted = useMounted();
  return (
    <Modal
      opened={opened && mounted}
      onClose={onClose}
      title={title}
      size={580}
      centered
      closeOnEscape={!covered}
      // Clicking outside must not discard the input.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 22 }}
      // In full screen, the header would count as a second banner landmark.
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
  const wide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <div className={classes.fields}>
        {children}
        {!wide && secondaryAction}
      </div>
      <div className={classes.foot}>
        {wide && <div className={classes.secondary}>{secondaryAction}</div>}
        <Button variant="default" onClick={() => void nextPaint().then(onCancel)}>
          {cancelLabel}
        </Button>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Saving...' : submitLabel}
        </Button>
      </div>
    </form>
  );
}
