import {
  lazy,
  type RefObject,
  Suspense,
  startTransition,
  useImperativeHandle,
  useState,
} from 'react';
import { useLastValue } from '../../lib/use-last-value.ts';
import type { LessonDefaults } from './shared/lesson-form.ts';

const NewLessonDialog = lazy(async () => ({
  default: (await import('./NewLessonDialog.tsx')).NewLessonDialog,
}));

/** The day of the new lesson, and the time if a free slot was pressed. */
export type LessonSlot = Pick<LessonDefaults, 'startTime' | 'endTime'> & { date: string };

export interface NewLessonHandle {
  open: (slot: LessonSlot) => void;
}

interface Props {
  /** Imperative handle, so that opening the dialog does not re-render the whole schedule. */
  handle: RefObject<NewLessonHandle | null>;
  /** If set, the dialog opens on mount. */
  initialSlot: LessonSlot | null;
}

/** Loads the dialog when it is first opened and keeps it mounted for the closing animation. */
export function NewLessonDialogHost({ handle, initialSlot }: Props) {
  const [slot, setSlot] = useState(initialSlot);
  const lastSlot = useLastValue(slot);
  useImperativeHandle(handle, () => ({
    // Uses a transition, so that the pressed button responds before the long form renders.
    open: (next) => startTransition(() => setSlot(next)),
  }));
  if (!lastSlot) return null;
  return (
    <Suspense fallback={null}>
      <NewLessonDialog opened={slot !== null} onClose={() => setSlot(null)} defaults={lastSlot} />
    </Suspense>
  );
}
