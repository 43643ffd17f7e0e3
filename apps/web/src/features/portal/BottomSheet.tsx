import type { PortalLesson, PortalLessons } from '@lessonbook/contract/portal';
import { IconArrowLeft } from '@tabler/icons-react';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import classes from './CancelSheet.module.css';

/** The props of every sheet on the lessons page. */
export interface SheetProps {
  publicId: string;
  page: PortalLessons;
  now: Date;
  /** Null if the sheet is not about one lesson. */
  lesson: PortalLesson | null;
  /** Messages by lesson, so that closing a sheet loses nothing that was typed. */
  drafts: Map<string, string>;
  onAskToMove: () => void;
  onClose: () => void;
}

interface Props {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  children: ReactNode;
  /** The buttons, which stay in view. */
  actions: ReactNode;
  /** Whether a click outside closes the sheet. */
  canDismiss: boolean;
  /** Whether Escape closes the sheet. */
  canClose: boolean;
  /** For a sheet that replaces the page: a button beside the title. */
  hasBackButton?: boolean;
  onClose: () => void;
}

/** A modal dialog without the component library: from the bottom on phones, in the centre on wide screens. */
export function BottomSheet({
  ref,
  title,
  children,
  actions,
  canDismiss,
  canClose,
  hasBackButton = false,
  onClose,
}: Props) {
  const id = useId();
  const titleRef = useRef<HTMLHeadingElement>(null);
  const openerRef = useRef<Element>(null);
  const onClick = useEffectEvent((event: Event) => {
    if (canDismiss && event.target === event.currentTarget) onClose();
  });
  const onCancel = useEffectEvent((event: Event) => {
    event.preventDefault();
    if (canClose) onClose();
  });
  const onClosed = useEffectEvent(() => onClose());

  useLayoutEffect(() => {
    const dialog = ref.current;
    const listeners = new AbortController();
    const options = { signal: listeners.signal };
    // A click on the backdrop is a click on the dialog itself.
    dialog?.addEventListener('click', (event) => onClick(event), options);
    dialog?.addEventListener('cancel', (event) => onCancel(event), options);
    // Browsers close a dialog on a second Escape, whatever the cancel handler does.
    // In development, React runs this effect twice, and the first run's close event arrives when the dialog is open again.
    dialog?.addEventListener('close', () => dialog.open || onClosed(), options);
    openerRef.current = document.activeElement;
    dialog?.showModal();
    return () => {
      listeners.abort();
      dialog?.close();
    };
  }, [ref]);

  // The browser returns focus to the button that opened the sheet, unless the button no longer exists.
  useEffect(
    () => () => {
      if (!openerRef.current?.isConnected)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    },
    [],
  );

  // Focuses the title, not the first field, because on a phone the keyboard would cover the sheet. A new title means a new step.
  // Runs before the sheet is painted, so that focus never leaves a field in which someone has begun to type.
  useLayoutEffect(() => {
    if (title) titleRef.current?.focus();
  }, [title]);

  return (
    <dialog ref={ref} className={classes.sheet} aria-labelledby={id}>
      <div className={classes.content}>
        <div className={classes.title}>
          {hasBackButton && (
            <button type="button" aria-label="Back" disabled={!canClose} onClick={onClose}>
              <IconArrowLeft size={22} stroke={1.8} />
            </button>
          )}
          <h2 id={id} ref={titleRef} tabIndex={-1}>
            {title}
          </h2>
        </div>
        {children}
      </div>
      <div className={classes.actions}>{actions}</div>
    </dialog>
  );
}
