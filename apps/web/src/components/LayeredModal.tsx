import { Modal, type ModalProps, ModalStackContext } from '@mantine/core';
import { useFocusReturn, useMounted } from '@mantine/hooks';
import { type FocusEvent, use, useEffect, useEffectEvent, useId, useRef } from 'react';
import { useCloseOnBack } from '../lib/close-on-back.ts';
import { LayerContext, leaveLayer } from '../lib/unsaved-changes.ts';

/**
 * The base of every modal. Modals are stacked, so Escape and the browser's Back button close only the top one. If a form
 * inside it has unsaved changes, closing it asks for confirmation first.
 */
export function LayeredModal({
  opened,
  onClose,
  returnFocus = true,
  children,
  ...props
}: ModalProps) {
  const id = useId();
  // A modal mounted while open could not restore focus, because Mantine records it only when `opened` changes.
  const isOpen = useMounted() && opened;
  const requestClose = () => leaveLayer(id, onClose);
  useCloseOnBack(isOpen, requestClose);
  useLeaveStackOnUnmount(id);
  // A stacked Mantine modal does not return focus, because closing it also ends its focus trap.
  useFocusReturn({ opened: isOpen, shouldReturnFocus: returnFocus });
  const rememberFocus = useFocusWhenUncovered(id, isOpen);
  return (
    <Modal
      centered
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 22 }}
      // The header would count as a second banner landmark.
      attributes={{ header: { role: 'presentation' } }}
      {...props}
      stackId={id}
      opened={isOpen}
      returnFocus={false}
      onClose={requestClose}
      onFocus={rememberFocus}
    >
      <LayerContext value={id}>{children}</LayerContext>
    </Modal>
  );
}

/** Mantine removes a modal from the stack when it closes, but not if it is unmounted while open. */
function useLeaveStackOnUnmount(id: string) {
  const stack = use(ModalStackContext);
  const leave = useEffectEvent(() => stack?.removeModal(id));
  useEffect(() => () => leave(), []);
}

/**
 * When the modal on top of this one closes, Mantine moves focus to the first field. This hook moves it back to the
 * element that had it before. The returned handler remembers the focused element.
 */
function useFocusWhenUncovered(id: string, opened: boolean) {
  const isTop = use(ModalStackContext)?.currentId === id;
  const focusedRef = useRef<HTMLElement>(null);
  const returnToRef = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!opened) focusedRef.current = null;
    if (!opened || !isTop) {
      returnToRef.current = focusedRef.current;
      return undefined;
    }
    // After the timers of Mantine's focus trap, which are set by a child.
    const timer = setTimeout(() => returnToRef.current?.focus({ preventScroll: true }));
    return () => clearTimeout(timer);
  }, [opened, isTop]);

  return ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
    // React also reports focus in other modals and menus that are rendered inside this one.
    if (currentTarget.contains(target)) focusedRef.current = target;
  };
}
