import { Button, Modal } from '@mantine/core';
import { useMediaQuery, useMounted } from '@mantine/hooks';
import type { FormEventHandler, ReactNode } from 'react';
import { nextPaint } from '../lib/yield-to-main.ts';
import classes from './Dialog.module.css';

interface DialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** A sheet lies on top: Escape is for that one alone. */
  covered?: boolean;
  children: ReactNode;
}

/** A form over the page; on phones it takes the whole screen. Closing it keeps nothing: its content is gone. */
export function Dialog({ title, opened, onClose, covered = false, children }: DialogProps) {
  // One that comes into the page already open would not know where the focus was, and could not give it back.
  const mounted = useMounted();
  return (
    <Modal
      opened={opened && mounted}
      onClose={onClose}
      title={title}
      size={580}
      centered
      closeOnEscape={!covered}
      // A stray click beside the form must not cost what was typed.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 22 }}
      // Full screen, the header would count as a second banner of the page.
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
  /** Another word, where 'Cancel' could be taken for cancelling lessons. */
  cancel?: string;
  submit: string;
  isBusy: boolean;
  /** A second way to save; on phones it stands below the fields, since the foot has room for two. */
  also?: ReactNode;
  children: ReactNode;
}

/** The fields, and a foot that stays in view. */
export function DialogForm({
  onSubmit,
  onCancel,
  cancel = 'Cancel',
  submit,
  isBusy,
  also,
  children,
}: FormProps) {
  const wide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <div className={classes.fields}>
        {children}
        {!wide && also}
      </div>
      <div className={classes.foot}>
        {wide && <div className={classes.also}>{also}</div>}
        <Button variant="default" onClick={() => void nextPaint().then(onCancel)}>
          {cancel}
        </Button>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Saving...' : submit}
        </Button>
      </div>
    </form>
  );
}
