import {
  lazy,
  type RefObject,
  Suspense,
  startTransition,
  useImperativeHandle,
  useState,
} from 'react';
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

export interface LessonOpener {
  open: (slot: Slot) => void;
}

interface Props {
  /** Opened by whoever holds it, so that a whole schedule need not be drawn again for a dialog. */
  opener: RefObject<LessonOpener | null>;
  /** Opened from the start with this. */
  first: Slot | null;
}

/** The dialog is fetched when it is first wanted, and stays to close in its own time. */
export function NewLesson({ opener, first }: Props) {
  const [slot, setSlot] = useState(first);
  const start = useLast(slot);
  useImperativeHandle(opener, () => ({
    // A long form: the button that was pressed answers before.
    open: (wanted) => startTransition(() => setSlot(wanted)),
  }));
  if (!start) return null;
  return (
    <Suspense fallback={null}>
      <LessonDialog opened={slot !== null} onClose={() => setSlot(null)} start={start} />
    </Suspense>
  );
}
