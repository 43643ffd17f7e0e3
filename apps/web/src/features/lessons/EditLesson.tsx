import type { Session } from '@lessonbook/contract/sessions';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { lessonQuery } from './api.ts';

/** Both files of it at once, and not one after the other. */
const LessonDialog = lazy(async () => {
  const [{ LessonDialog: Dialog }] = await Promise.all([
    import('./LessonDialog.tsx'),
    import('./LessonDialogEdit.tsx'),
  ]);
  return { default: Dialog };
});

interface Props {
  session: Session;
  /** Where the tutor comes from decides which scope is preselected. */
  from: 'session' | 'lesson';
  /** The button; it appears once the lesson behind the session is known. */
  children: (open: () => void) => ReactNode;
}

/** Editing starts from one session; how far it reaches is asked by the dialog. */
export function EditLesson({ session, from, children }: Props) {
  const { data: lesson } = useQuery(lessonQuery(session.lessonId));
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  if (!lesson) return null;
  return (
    <>
      {children(() => setState('open'))}
      {state !== 'never' && (
        <Suspense fallback={null}>
          <LessonDialog
            opened={state === 'open'}
            onClose={() => setState('closed')}
            edit={{ lesson, session, from }}
          />
        </Suspense>
      )}
    </>
  );
}
