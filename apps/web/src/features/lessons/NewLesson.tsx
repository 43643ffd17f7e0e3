import { lazy, Suspense } from 'react';
import { useLast } from '../../lib/last.ts';

/** What the dialog starts with: the day, and the hour where a free slot was pressed. */
export interface Slot {
  date: string;
  startTime?: string;
  endTime?: string;
}

const LessonDialog = lazy(async () => ({
  default: (await import('./LessonDialog.tsx')).LessonDialog,
}));

/** The dialog is fetched when it is first wanted, and stays to close in its own time. */
export function NewLesson({ slot, onClose }: { slot: Slot | null; onClose: () => void }) {
  const start = useLast(slot);
  if (!start) return null;
  return (
    <Suspense fallback={null}>
      <LessonDialog opened={slot !== null} onClose={onClose} start={start} />
    </Suspense>
  );
}
