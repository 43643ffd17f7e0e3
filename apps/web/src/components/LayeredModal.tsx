import { Modal, type ModalProps, ModalStackContext } from '@mantine/core';
import { useFocusReturn, useMounted } from '@mantine/hooks';
import { use, useEffect, useEffectEvent, useId } from 'react';
import { useCloseOnBack } from '../lib/close-on-back.ts';
import { LayerContext, leaveLayer } from '../lib/unsaved-changes.ts';

/**
 * The base of every modal. Modals are stacked, so Escape closes only the top one. Browser Back closes it too, and closing
 * it asks first if a form inside has unsaved changes.
 */
export function LayeredModal({
  opened,
  onClose,
  returnFocus = true,
  children,
  ...props
}: ModalProps) {
  const id = useId();
  // A modal that is mounted open cannot restore the focus, because Mantine records it only when `opened` changes.
  const isOpen = useMounted() && opened;
  const requestClose = () => leaveLayer(id, onClose);
  useCloseOnBack(isOpen, requestClose);
  useLeaveStackOnUnmount(id);
  // A stacked modal of Mantine does not return the focus, because closing it also ends its focus trap.
  useFocusReturn({ opened: isOpen, shouldReturnFocus: returnFocus });
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
    >
      <LayerContext value={id}>{children}</LayerContext>
    </Modal>
  );
}

/** Mantine removes a modal from the stack when it closes, but not when it is unmounted open. */
function useLeaveStackOnUnmount(id: string) {
  const stack = use(ModalStackContext);
  const leave = useEffectEvent(() => stack?.removeModal(id));
  useEffect(() => () => leave(), []);
}
