import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { dueSessionsQuery } from '../features/lessons/api.ts';
import { CompleteLessons } from '../features/lessons/CompleteLessons.tsx';
import { useSessionColors } from '../features/lessons/use-session-colors.ts';
import classes from './LessonComplete.module.css';

export function LessonCompletePage() {
  const { today } = useTutor();
  const { lessonId } = useParams({ from: '/tutor/lessons/$lessonId/complete' });
  const due = useQuery(dueSessionsQuery);
  const colorOf = useSessionColors();
  const dueSessions = due.data ?? [];
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/' }, label: 'Back to home' }} />
      {dueSessions.length > 0 && <p className={classes.lead}>{dueSessions.length} to tick off</p>}
      {dueSessions.length > 0 && (
        <CompleteLessons
          lessonId={Number(lessonId)}
          dueSessions={dueSessions}
          today={today}
          colorOf={colorOf}
        />
      )}
      {dueSessions.length === 0 && (
        <Card>
          {due.isPending && <RowSkeleton rows={4} />}
          {due.isError && (
            <LoadError onRetry={() => void due.refetch()}>
              The lessons to tick off could not be loaded.
            </LoadError>
          )}
          {due.isSuccess && <AllDone />}
        </Card>
      )}
    </NarrowContainer>
  );
}

function AllDone() {
  return (
    <EmptyState
      illustration={<Illustration name="register" size={112} />}
      action={
        <ButtonLink to="/" variant="light">
          Back to home
        </ButtonLink>
      }
    >
      All ticked off
    </EmptyState>
  );
}
