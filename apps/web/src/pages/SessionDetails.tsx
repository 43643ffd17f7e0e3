import type { Session } from '@lessonbook/contract/sessions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { sessionQuery } from '../features/lessons/api.ts';
import { EditLesson } from '../features/lessons/EditLesson.tsx';
import { LessonIdentity } from '../features/lessons/LessonIdentity.tsx';
import { SessionActions } from '../features/lessons/SessionActions.tsx';
import { SessionFacts } from '../features/lessons/SessionFacts.tsx';
import { useTones } from '../features/lessons/tones.ts';
import { isNotFound } from '../lib/http.ts';

/** Few tutors connect a calendar, and fewer change lessons there. */
const ProposalNotices = lazy(async () => ({
  default: (await import('../features/lessons/ProposalNotice.tsx')).ProposalNotices,
}));

export function SessionDetailsPage() {
  const { id } = useParams({ from: '/frame/tutor/sessions/$id' });
  const session = useQuery(sessionQuery(Number(id)));
  const { data } = session;
  return (
    <Column>
      <PageHeader
        title="Session Details"
        back={{
          link: { to: '/sessions', search: data ? { date: data.date } : {} },
          label: 'Back to sessions',
        }}
        action={
          data && (
            <EditLesson session={data} from="session">
              {editButton}
            </EditLesson>
          )
        }
      />
      {session.isError && !data && isNotFound(session.error) && <NotFound />}
      {session.isError && !data && !isNotFound(session.error) && (
        <Sheet>
          <LoadError onRetry={() => void session.refetch()}>
            This session could not be loaded.
          </LoadError>
        </Sheet>
      )}
      {session.isPending && (
        <Sheet>
          <RowSkeleton rows={5} />
        </Sheet>
      )}
      {data && <Details session={data} />}
    </Column>
  );
}

const editButton = (open: () => void) => (
  <Button variant="default" onClick={open}>
    Edit
  </Button>
);

function Details({ session }: { session: Session }) {
  const { today } = useTutor();
  const toneOf = useTones();
  const navigate = useNavigate();
  // The session at its new time is the one to go on with.
  const goTo = ({ id }: { id: number }) =>
    void navigate({ to: '/sessions/$id', params: { id: String(id) } });
  return (
    <>
      {session.status === 'scheduled' && (
        <Suspense fallback={null}>
          <ProposalNotices sessionId={session.id} today={today} onMoved={goTo} />
        </Suspense>
      )}
      <Sheet>
        <LessonIdentity lesson={session} tone={toneOf(session)} />
        <SessionFacts session={session} today={today} />
      </Sheet>
      <SessionActions session={session} today={today} onMoved={goTo} />
    </>
  );
}

function NotFound() {
  return (
    <Sheet>
      <EmptyState
        drawing={<Spot name="schedule" size={112} />}
        action={
          <ButtonLink to="/sessions" variant="light">
            Go to sessions
          </ButtonLink>
        }
      >
        Session not found
      </EmptyState>
    </Sheet>
  );
}
