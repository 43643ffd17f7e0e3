import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { LazyConfirmModal } from '../components/LazyConfirmModal.tsx';
import { confirmDiscard, setDiscardHandler } from '../lib/unsaved-changes.ts';

const TITLE = 'Discard changes?';
const MESSAGE = "Your changes haven't been saved.";

/** A page may replace its own search parameters without confirmation. */
const isBlocked: ShouldBlockFn = async ({ action, current, next }) =>
  !(action === 'REPLACE' && current.pathname === next.pathname) && !(await confirmDiscard());

type Answer = (isDiscarded: boolean) => void;

/** Asks for confirmation before navigating or closing a modal would lose unsaved changes. Mounted once. */
export function UnsavedChangesGuard() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  // The forms add their own listener while they have changes, so that other pages stay in the back/forward cache.
  useBlocker({ shouldBlockFn: isBlocked, enableBeforeUnload: false });

  useEffect(() => {
    setDiscardHandler(async () => {
      try {
        await import('../components/ConfirmModal.tsx');
      } catch {
        // Offline, the modal may not have been loaded yet.
        return window.confirm(`${TITLE} ${MESSAGE}`);
      }
      return new Promise((resolve) => {
        setAnswer((previous: Answer | null) => {
          // Only the last attempt to leave waits for the answer.
          previous?.(false);
          return resolve;
        });
      });
    });
    return () => setDiscardHandler(null);
  }, []);

  function close(isDiscarded: boolean) {
    answer?.(isDiscarded);
    setAnswer(null);
  }

  return (
    <LazyConfirmModal
      title={TITLE}
      opened={answer !== null}
      onClose={() => close(false)}
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      busyLabel="Discard"
      isBusy={false}
      onConfirm={() => close(true)}
    >
      <p>{MESSAGE}</p>
    </LazyConfirmModal>
  );
}
