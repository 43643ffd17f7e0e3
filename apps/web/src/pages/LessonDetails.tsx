import type { LessonDetails } from '@lessonbook/contract/lessons';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { lessonQuery, sessionQuery } from '../features/lessons/api.ts';
import { EditLessonTrigger } from '../features/lessons/LazyLessonDialogs.tsx';
import { LessonDetailsCard } from '../features/lessons/LessonDetailsCard.tsx';
import { SessionList } from '../features/lessons/SessionList.tsx';
import { isNotFound } from '../lib/http.ts';

const DeleteLessonModal = lazy(async () => ({
  default: (await import('../features/lessons/DeleteLessonModal.tsx')).DeleteLessonModal,
}));

export function LessonDetailsPage() {
  const { id } = useParams({ from: '/tutor/lessons/$id' });
  const lesson = useQuery(lessonQuery(Number(id)));
  return (
    <NarrowContainer>
      {lesson.data ? (
        <Details lesson={lesson.data} />
      ) : (
        <>
          <Header />
          <Card>
            {lesson.isPending && <RowSkeleton rows={5} />}
            {lesson.isError && isNotFound(lesson.error) && <NotFound />}
            {lesson.isError && !isNotFound(lesson.error) && (
              <LoadError onRetry={() => void lesson.refetch()}>
                This lesson could not be loaded.
              </LoadError>
            )}
          </Card>
        </>
      )}
    </NarrowContainer>
  );
}

function Header({ lesson, action }: { lesson?: LessonDetails; action?: ReactNode }) {
  const date = lesson?.nextSession?.date;
  return (
    <PageHeader
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
  const session = useSelectedSession(lesson);
  return (
    <>
      <Header
        lesson={lesson}
        action={
          session && (
            <EditLessonTrigger session={session} from="lesson">
              {renderEditButton}
            </EditLessonTrigger>
          )
        }
      />
      <LessonDetailsCard lesson={lesson} today={today} />
      <SessionList
        heading="Coming sessions"
        sessions={lesson.upcoming}
        today={today}
        empty="Nothing to come."
      />
      {lesson.past.length > 0 && (
        <SessionList heading="Past sessions" sessions={lesson.past} today={today} empty="" />
      )}
      {session && <DeleteLessonButton lesson={lesson} session={session} />}
    </>
  );
}

const renderEditButton = (open: () => void) => (
  <Button variant="default" onClick={open}>
    Edit
  </Button>
);

/** Edits start from a session: the one in the URL, otherwise the next one, otherwise the latest. */
function useSelectedSession(lesson: LessonDetails) {
  const { session: selectedId } = useSearch({ from: '/tutor/lessons/$id' });
  const all = [...lesson.upcoming, ...lesson.past];
  const selected = all.find(({ id }) => id === selectedId) ?? all[0];
  const { data } = useQuery({
    ...sessionQuery(selected?.id ?? 0),
    enabled: selected !== undefined,
  });
  return data;
}

function DeleteLessonButton(props: {
  lesson: LessonDetails;
  session: NonNullable<ReturnType<typeof useSelectedSession>>;
}) {
  const [state, setState] = useState<'unopened' | 'open' | 'closed'>('unopened');
  const navigate = useNavigate();
  return (
    <div>
      <Button variant="subtle" color="red" onClick={() => setState('open')}>
        Delete
      </Button>
      {state !== 'unopened' && (
        <Suspense fallback={null}>
          <DeleteLessonModal
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
      illustration={<Illustration name="schedule" size={112} />}
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
