import type { Session } from '@lessonbook/contract/sessions';
import { useQuery } from '@tanstack/react-query';
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  startTransition,
  useImperativeHandle,
  useState,
} from 'react';
import { useLastValue } from '../../lib/use-last-value.ts';
import { lessonQuery } from './api.ts';

/** Both files of it at once, and not one after the other. */
const LazyEditDialog = lazy(async () => {
  const [{ LessonDialog: Dialog }] = await Promise.all([
    import('./NewLessonDialog.tsx'),
    import('./EditLessonDialog.tsx'),
  ]);
  return { default: Dialog };
});

interface EditLessonTriggerProps {
  session: Session;
  /** Where the tutor comes from decides which scope is preselected. */
  from: 'session' | 'lesson';
  /** The button; it appears once the lesson behind the session is known. */
  children: (open: () => void) => ReactNode;
}

/** Editing starts from one session; how far it reaches is asked by the dialog. */
export function EditLessonTrigger({ session, from, children }: EditLessonTriggerProps) {
  const { data: lesson } = useQuery(lessonQuery(session.lessonId));
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  if (!lesson) return null;
  return (
    <>
      {children(() => setState('open'))}
      {state !== 'never' && (
        <Suspense fallback={null}>
          <LazyEditDialog
            opened={state === 'open'}
            onClose={() => setState('closed')}
            edit={{ lesson, session, from }}
          />
        </Suspense>
      )}
    </>
  );
}

/** What the dialog starts with: the day, and the hour where a free slot was pressed. */
export interface LessonSlot {
  date: string;
  startTime?: string;
  endTime?: string;
}

const LazyNewDialog = lazy(async () => ({
  default: (await import('./NewLessonDialog.tsx')).LessonDialog,
}));

export interface NewLessonHandle {
  open: (slot: LessonSlot) => void;
}

interface Props {
  /** Opened by whoever holds it, so that a whole schedule need not be drawn again for a dialog. */
  handle: RefObject<NewLessonHandle | null>;
  /** Opened from the start with this. */
  initialSlot: LessonSlot | null;
}

/** The dialog is fetched when it is first wanted, and stays to close in its own time. */
export function NewLessonDialogHost({ handle, initialSlot }: Props) {
  const [slot, setSlot] = useState(initialSlot);
  const start = useLastValue(slot);
  useImperativeHandle(handle, () => ({
    // A long form: the button that was pressed answers before.
    open: (wanted) => startTransition(() => setSlot(wanted)),
  }));
  if (!start) return null;
  return (
    <Suspense fallback={null}>
      <LazyNewDialog opened={slot !== null} onClose={() => setSlot(null)} start={start} />
    </Suspense>
  );
}
