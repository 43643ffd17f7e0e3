import type { Session } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { sessionQuery } from '../features/lessons/api.ts';
import { EditLessonTrigger } from '../features/lessons/LazyLessonDialogs.tsx';
import { LessonHeader } from '../features/lessons/LessonDetailsCard.tsx';
import { SessionActions } from '../features/lessons/SessionActions.tsx';
import { SessionDetailsList } from '../features/lessons/SessionDetailsList.tsx';
import { useSessionColors } from '../features/lessons/use-session-colors.ts';
import { isNotFound } from '../lib/http.ts';

/** Lazy, because few tutors connect a calendar, and fewer change lessons there. */
const CalendarChangeNotices = lazy(async () => ({
  default: (await import('../features/lessons/GoogleCalendarChangeNotice.tsx'))
    .GoogleCalendarChangeNotices,
}));

/** Lazy, because most sessions have no pending notice. */
const PendingNotice = lazy(async () => ({
  default: (await import('../features/messages/PendingNotices.tsx')).SessionPendingNotice,
}));

export function SessionDetailsPage() {
  const { id } = useParams({ from: '/tutor/sessions/$id' });
  const session = useQuery(sessionQuery(Number(id)));
  const { data } = session;
  return (
    <NarrowContainer>
      <PageHeader
        back={{
          link: { to: '/sessions', search: data ? { date: data.date } : {} },
          label: 'Back to sessions',
        }}
        action={
          data && (
            <EditLessonTrigger session={data} from="session">
              {renderEditButton}
            </EditLessonTrigger>
          )
        }
      />
      {session.isError && !data && isNotFound(session.error) && <NotFound />}
      {session.isError && !data && !isNotFound(session.error) && (
        <Card>
          <LoadError onRetry={() => void session.refetch()}>
            This session could not be loaded.
          </LoadError>
        </Card>
      )}
      {session.isPending && (
        <Card>
          <RowSkeleton rows={5} />
        </Card>
      )}
      {data && <Details session={data} />}
    </NarrowContainer>
  );
}

const renderEditButton = (open: () => void) => (
  <Button variant="default" onClick={open}>
    Edit
  </Button>
);

function Details({ session }: { session: Session }) {
  const { today } = useTutor();
  const colorOf = useSessionColors();
  const navigate = useNavigate();
  // Continues to the rescheduled session.
  const goTo = ({ id }: { id: number }) =>
    void navigate({ to: '/sessions/$id', params: { id: String(id) } });
  return (
    <>
      {session.status === 'scheduled' && (
        <Suspense fallback={null}>
          <CalendarChangeNotices sessionId={session.id} today={today} onMoved={goTo} />
        </Suspense>
      )}
      {session.status !== 'rescheduled' && (
        <Suspense fallback={null}>
          <PendingNotice sessionId={session.id} today={today} />
        </Suspense>
      )}
      <Card>
        <LessonHeader lesson={session} color={colorOf(session)} />
        <SessionDetailsList session={session} today={today} />
      </Card>
      <SessionActions session={session} today={today} onMoved={goTo} />
    </>
  );
}

function NotFound() {
  return (
    <Card>
      <EmptyState
        illustration={<Illustration name="schedule" size={112} />}
        action={
          <ButtonLink to="/sessions" variant="light">
            Go to sessions
          </ButtonLink>
        }
      >
        Session not found
      </EmptyState>
    </Card>
  );
}
