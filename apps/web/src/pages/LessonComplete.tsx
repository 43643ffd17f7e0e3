import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { dueSessionsQuery } from '../features/lessons/api.ts';
import { CatchUp } from '../features/lessons/CatchUp.tsx';
import { useTones } from '../features/lessons/tones.ts';
import classes from './LessonComplete.module.css';

export function LessonCompletePage() {
  const { today } = useTutor();
  const { lessonId } = useParams({ from: '/frame/tutor/lessons/$lessonId/complete' });
  const due = useQuery(dueSessionsQuery);
  const toneOf = useTones();
  const waiting = due.data ?? [];
  return (
    <Column>
      <PageHeader title="Complete Lessons" back={{ link: { to: '/' }, label: 'Back to home' }} />
      {waiting.length > 0 && <p className={classes.lead}>{waiting.length} to tick off</p>}
      {waiting.length > 0 && (
        <CatchUp lessonId={Number(lessonId)} due={waiting} today={today} toneOf={toneOf} />
      )}
      {waiting.length === 0 && (
        <Sheet>
          {due.isPending && <RowSkeleton rows={4} />}
          {due.isError && (
            <LoadError onRetry={() => void due.refetch()}>
              The lessons to tick off could not be loaded.
            </LoadError>
          )}
          {due.isSuccess && <AllDone />}
        </Sheet>
      )}
    </Column>
  );
}

function AllDone() {
  return (
    <EmptyState
      drawing={<Spot name="register" size={112} />}
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
