import type { LessonDetails } from '@lessonbook/contract/lessons';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { lessonQuery, sessionQuery } from '../features/lessons/api.ts';
import { EditLesson } from '../features/lessons/EditLesson.tsx';
import { LessonFacts } from '../features/lessons/LessonFacts.tsx';
import { SessionList } from '../features/lessons/SessionList.tsx';
import { isNotFound } from '../lib/http.ts';

const DeleteLessonSheet = lazy(async () => ({
  default: (await import('../features/lessons/DeleteLessonSheet.tsx')).DeleteLessonSheet,
}));

export function LessonDetailsPage() {
  const { id } = useParams({ from: '/frame/tutor/lessons/$id' });
  const lesson = useQuery(lessonQuery(Number(id)));
  return (
    <Column>
      {lesson.data ? (
        <Details lesson={lesson.data} />
      ) : (
        <>
          <Header />
          <Sheet>
            {lesson.isPending && <RowSkeleton rows={5} />}
            {lesson.isError && isNotFound(lesson.error) && <NotFound />}
            {lesson.isError && !isNotFound(lesson.error) && (
              <LoadError onRetry={() => void lesson.refetch()}>
                This lesson could not be loaded.
              </LoadError>
            )}
          </Sheet>
        </>
      )}
    </Column>
  );
}

function Header({ lesson, action }: { lesson?: LessonDetails; action?: ReactNode }) {
  const date = lesson?.nextSession?.date;
  return (
    <PageHeader
      title="Lesson Details"
      back={{
        link: { to: '/schedule', search: date ? { date } : {} },
        label: 'Back to schedule',
      }}
      action={action}
    />
  );
}

function Details({ lesson }: { lesson: LessonDetails }) {
  const { today } = useTutor();
  const session = useOneSession(lesson);
  return (
    <>
      <Header
        lesson={lesson}
        action={
          session && (
            <EditLesson session={session} from="lesson">
              {editButton}
            </EditLesson>
          )
        }
      />
      <LessonFacts lesson={lesson} today={today} />
      <SessionList
        heading="Coming sessions"
        sessions={lesson.coming}
        today={today}
        empty="Nothing to come."
      />
      {lesson.past.length > 0 && (
        <SessionList heading="Past sessions" sessions={lesson.past} today={today} empty="" />
      )}
      {session && <DeleteLesson lesson={lesson} session={session} />}
    </>
  );
}

const editButton = (open: () => void) => (
  <Button variant="default" onClick={open}>
    Edit
  </Button>
);

/** Changes start from a session: the one in the address, else the next to come, else the latest. */
function useOneSession(lesson: LessonDetails) {
  const { session: named } = useSearch({ from: '/frame/tutor/lessons/$id' });
  const all = [...lesson.coming, ...lesson.past];
  const one = all.find(({ id }) => id === named) ?? all[0];
  const { data } = useQuery({ ...sessionQuery(one?.id ?? 0), enabled: one !== undefined });
  return data;
}

function DeleteLesson(props: {
  lesson: LessonDetails;
  session: NonNullable<ReturnType<typeof useOneSession>>;
}) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  const navigate = useNavigate();
  return (
    <div>
      <Button variant="subtle" color="red" onClick={() => setState('open')}>
        Delete
      </Button>
      {state !== 'never' && (
        <Suspense fallback={null}>
          <DeleteLessonSheet
            {...props}
            from="lesson"
            opened={state === 'open'}
            onClose={() => setState('closed')}
            onDeleted={() => void navigate({ to: '/schedule' })}
          />
        </Suspense>
      )}
    </div>
  );
}

function NotFound() {
  return (
    <EmptyState
      drawing={<Spot name="schedule" size={112} />}
      action={
        <ButtonLink to="/schedule" variant="light">
          Go to schedule
        </ButtonLink>
      }
    >
      Lesson not found
    </EmptyState>
  );
}
