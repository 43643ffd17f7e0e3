import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { dueSessionsQuery } from '../features/lessons/api.ts';
import { useSessionColors } from '../features/lessons/use-session-colors.ts';
import classes from './CompleteDueLessons.module.css';

const CompleteLessons = lazy(async () => ({
  default: (await import('../features/lessons/CompleteLessons.tsx')).CompleteLessons,
}));

export function LessonCompletePage() {
  const { today } = useTutor();
  const { session } = useSearch({ from: '/tutor/lessons/$lessonId/complete' });
  const due = useQuery(dueSessionsQuery);
  const colorOf = useSessionColors();
  const dueSessions = due.data ?? [];
  return (
    <div className={classes.page}>
      <PageHeader back={{ link: { to: '/' }, label: 'Back to home' }} />
      {dueSessions.length > 0 && (
        <Suspense fallback={<RowSkeleton rows={4} />}>
          <CompleteLessons
            sessionId={session}
            dueSessions={dueSessions}
            today={today}
            colorOf={colorOf}
          />
        </Suspense>
      )}
      {dueSessions.length === 0 && (
        <Card>
          {due.isPending && <RowSkeleton rows={4} />}
          {due.isError && (
            <LoadError onRetry={() => void due.refetch()}>
              We couldn't load the lessons to complete.
            </LoadError>
          )}
          {due.isSuccess && <AllDone />}
        </Card>
      )}
    </div>
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
      You're all caught up: there are no lessons to complete.
    </EmptyState>
  );
}
