import { ActionIcon } from '@mantine/core';
import { IconArrowsMaximize, IconCash, IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { studentOverviewQuery } from '../features/students/api.ts';
import { StudentMenu } from '../features/students/StudentMenu.tsx';
import {
  NextLessonBar,
  StudentHeader,
  StudentTabs,
} from '../features/students/StudentOverviewSections.tsx';
import type { StudentAction } from '../features/students/student-url-search-params.ts';
import classes from './Students.module.css';

const StudentDialogs = lazy(async () => ({
  default: (await import('./StudentDialogs.tsx')).StudentDialogs,
}));

/** The selected student beside the list, in the same order as on the student's page. */
export function StudentPanel({ id }: { id: number }) {
  const { today } = useTutor();
  const search = useSearch({ from: '/tutor/students' });
  const navigate = useNavigate({ from: '/students' });
  const { data: overview, isError, refetch } = useQuery(studentOverviewQuery(id));
  const [action, setAction] = useState<StudentAction | null>(null);
  if (!overview) {
    return (
      <Card>
        {isError ? (
          <LoadError onRetry={() => void refetch()}>We couldn't load this student.</LoadError>
        ) : (
          <RowSkeleton rows={6} />
        )}
      </Card>
    );
  }
  const { student, family } = overview;
  const parts = { overview, today, onAction: setAction };
  return (
    <Card>
      <div className={classes.panel}>
        <StudentHeader overview={overview} today={today} level={2}>
          {family && (
            <ActionIcon
              variant="default"
              size={44}
              radius="md"
              aria-label={`Message ${family.name}`}
              renderRoot={(props) => (
                <Link to="/messages/new" search={{ families: String(family.id) }} {...props} />
              )}
            >
              <IconMessage size={20} stroke={1.8} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="default"
            size={44}
            radius="md"
            aria-label="Record payment"
            onClick={() => setAction('payment')}
          >
            <IconCash size={20} stroke={1.8} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={44}
            radius="md"
            aria-label={`Open ${student.name}'s page`}
            renderRoot={(props) => (
              <Link to="/students/$id" params={{ id: String(id) }} {...props} />
            )}
          >
            <IconArrowsMaximize size={20} stroke={1.8} />
          </ActionIcon>
          <StudentMenu name={student.name} onAction={setAction} />
        </StudentHeader>
        <NextLessonBar {...parts} />
        <div>
          <StudentTabs
            {...parts}
            tab={search.tab ?? 'lessons'}
            newLessonVariant="subtle"
            onTab={(tab) =>
              void navigate({
                search: { ...search, student: id, tab },
                replace: true,
                resetScroll: false,
              })
            }
          />
        </div>
      </div>
      <LazyMount opened={action !== null}>
        <StudentDialogs
          overview={overview}
          today={today}
          action={action}
          onClose={() => setAction(null)}
          onDeleted={() => setAction(null)}
        />
      </LazyMount>
    </Card>
  );
}
