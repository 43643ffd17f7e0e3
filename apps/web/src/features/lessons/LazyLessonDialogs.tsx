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
import type { LessonDefaults } from './shared/lesson-form.ts';

const EditLessonDialog = lazy(async () => ({
  default: (await import('./EditLessonDialog.tsx')).EditLessonDialog,
}));
const NewLessonDialog = lazy(async () => ({
  default: (await import('./NewLessonDialog.tsx')).NewLessonDialog,
}));

interface EditLessonTriggerProps {
  session: Session;
  /** The page that the dialog is opened from, which determines the preselected scope. */
  from: 'session' | 'lesson';
  /** Renders the button once the session's lesson has loaded. */
  children: (open: () => void) => ReactNode;
}

/** Opens the edit dialog for one session; the dialog asks for the scope of the change. */
export function EditLessonTrigger({ session, from, children }: EditLessonTriggerProps) {
  const { data: lesson } = useQuery(lessonQuery(session.lessonId));
  const [state, setState] = useState<'unopened' | 'open' | 'closed'>('unopened');
  if (!lesson) return null;
  return (
    <>
      {children(() => setState('open'))}
      {state !== 'unopened' && (
        <Suspense fallback={null}>
          <EditLessonDialog
            opened={state === 'open'}
            onClose={() => setState('closed')}
            edit={{ lesson, session, from }}
          />
        </Suspense>
      )}
    </>
  );
}

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
    // A transition, so that the pressed button responds before the long form renders.
    open: (next) => startTransition(() => setSlot(next)),
  }));
  if (!lastSlot) return null;
  return (
    <Suspense fallback={null}>
      <NewLessonDialog opened={slot !== null} onClose={() => setSlot(null)} defaults={lastSlot} />
    </Suspense>
  );
}
