import { isGroup } from '@lessonbook/contract/lesson-names';
import type { Session } from '@lessonbook/contract/sessions';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { BackButton } from '../components/BackButton.tsx';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { RecordNotFound } from '../components/RecordNotFound.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { lessonQuery, sessionQuery } from '../features/lessons/api.ts';
import { CancellationCostCard } from '../features/lessons/CancellationCostCard.tsx';
import { SeriesCard } from '../features/lessons/SeriesCard.tsx';
import { SessionContacts } from '../features/lessons/SessionContacts.tsx';
import { SessionDetailsCard } from '../features/lessons/SessionDetailsCard.tsx';
import { SessionHeader } from '../features/lessons/SessionHeader.tsx';
import type { SessionModal } from '../features/lessons/SessionModals.tsx';
import { SessionSeats } from '../features/lessons/SessionSeats.tsx';
import { StudentNotArrivedCard } from '../features/messages/shared/StudentNotArrivedButton.tsx';
import { isNotFound } from '../lib/http.ts';
import classes from './Lesson.module.css';

const SessionNotes = lazy(async () => ({
  default: (await import('../features/lessons/SessionNotes.tsx')).SessionNotes,
}));

const SessionModals = lazy(async () => ({
  default: (await import('../features/lessons/SessionModals.tsx')).SessionModals,
}));

/** Lazy, because few tutors connect a calendar, and fewer change lessons there. */
const CalendarChangeNotices = lazy(async () => ({
  default: (await import('../features/lessons/GoogleCalendarChangeNotice.tsx'))
    .GoogleCalendarChangeNotices,
}));

/** Lazy, because it loads the family portal's contract. */
const MoveRequestCards = lazy(async () => ({
  default: (await import('../features/lessons/MoveRequestCards.tsx')).MoveRequestCards,
}));

/** Lazy, because most sessions have no pending notice. */
const PendingNotice = lazy(async () => ({
  default: (await import('../features/messages/PendingNotices.tsx')).SessionPendingNotice,
}));

/** The page of a lesson on one date, including a section about its series. */
export function LessonPage() {
  const { id } = useParams({ from: '/tutor/sessions/$id' });
  const session = useQuery(sessionQuery(Number(id)));
  if (session.data) return <Lesson key={session.data.id} session={session.data} />;
  return (
    <LessonPlaceholder>
      {session.isPending && <RowSkeleton rows={5} />}
      {session.isError && isNotFound(session.error) && (
        <RecordNotFound list="schedule">Session not found</RecordNotFound>
      )}
      {session.isError && !isNotFound(session.error) && (
        <LoadError onRetry={() => void session.refetch()}>We couldn't load this lesson.</LoadError>
      )}
    </LessonPlaceholder>
  );
}

/** Shown at the URL of a series that could not be redirected to one of its dates. */
export function LessonSeriesPage() {
  const { id } = useParams({ from: '/tutor/lessons/$id' });
  const lesson = useQuery(lessonQuery(Number(id)));
  const navigate = useNavigate();
  const retry = async () => {
    const { data } = await lesson.refetch();
    if (data) void navigate({ to: '/lessons/$id', params: { id }, replace: true });
  };
  return (
    <LessonPlaceholder>
      {lesson.isPending && <RowSkeleton rows={5} />}
      {lesson.isError && isNotFound(lesson.error) && (
        <RecordNotFound list="schedule">Lesson not found</RecordNotFound>
      )}
      {lesson.isError && !isNotFound(lesson.error) && (
        <LoadError onRetry={() => void retry()}>We couldn't load this lesson.</LoadError>
      )}
      {lesson.data && (
        <RecordNotFound list="schedule">This lesson has no dates yet.</RecordNotFound>
      )}
    </LessonPlaceholder>
  );
}

function LessonPlaceholder({ children }: { children: ReactNode }) {
  return (
    <>
      <BackButton parent={{ link: { to: '/schedule' }, label: 'Back to schedule' }} />
      <PageHeader />
      <Card>{children}</Card>
    </>
  );
}

function Lesson({ session }: { session: Session }) {
  const { today, timeZone } = useTutor();
  const [openModal, setOpenModal] = useState<SessionModal | null>(null);
  const navigate = useNavigate();
  const isScheduled = session.status === 'scheduled';
  // Replaces the history entry of the old date, so that Back returns to the page before it.
  const goTo = ({ id }: { id: number }) =>
    void navigate({ to: '/sessions/$id', params: { id: String(id) }, replace: true });
  return (
    <div className={classes.page}>
      <SessionHeader session={session} today={today} onOpen={setOpenModal} />
      <StudentNotArrivedCard session={session} />
      {isScheduled && (
        <Suspense fallback={null}>
          <CalendarChangeNotices sessionId={session.id} today={today} onMoved={goTo} />
          <MoveRequestCards sessionId={session.id} today={today} onMoved={goTo} />
        </Suspense>
      )}
      {session.status !== 'rescheduled' && (
        <Suspense fallback={null}>
          <PendingNotice sessionId={session.id} today={today} />
        </Suspense>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <SessionDetailsCard
            session={session}
            dateContext={{ today, timeZone }}
            onEdit={isScheduled ? () => setOpenModal('edit') : undefined}
          />
          {isGroup(session) && (
            <SessionSeats session={session} onCancelSession={() => setOpenModal('cancel')} />
          )}
          <Suspense
            fallback={
              <Card heading="Notes">
                <div className={classes.notesPlaceholder} />
              </Card>
            }
          >
            <SessionNotes session={session} dateContext={{ today, timeZone }} />
          </Suspense>
          {session.isRecurring && (
            <SeriesCard session={session} onEdit={() => setOpenModal('edit-series')} />
          )}
        </div>
        <div className={classes.column}>
          <SessionContacts session={session} />
          {isScheduled && session.fee !== null && (
            // Remounted when the fee changes, for example because a student's place was cancelled.
            <CancellationCostCard
              key={session.fee}
              session={session}
              dateContext={{ today, timeZone }}
            />
          )}
        </div>
      </div>
      <LazyMount opened={openModal !== null}>
        <SessionModals
          session={session}
          today={today}
          openModal={openModal}
          onClose={() => setOpenModal(null)}
          onMoved={goTo}
          onDeleted={() => void navigate({ to: '/schedule', search: { date: session.date } })}
        />
      </LazyMount>
    </div>
  );
}
