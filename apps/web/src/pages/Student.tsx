import type { StudentOverview } from '@lessonbook/contract/student-overview-and-timeline';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconCash, IconMessage, IconNote, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { useHasRoomForDetail } from '../components/ListWithDetail.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { RecordNotFound } from '../components/RecordNotFound.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { studentOverviewQuery } from '../features/students/api.ts';
import { StudentMenu } from '../features/students/StudentMenu.tsx';
import { StudentFigures, StudentMoneySummary } from '../features/students/StudentMoneySummary.tsx';
import {
  NextLessonBar,
  StudentHeader,
  StudentTabs,
} from '../features/students/StudentOverviewSections.tsx';
import { StudentPeople } from '../features/students/StudentPeople.tsx';
import { StudentRates } from '../features/students/StudentRates.tsx';
import type { StudentAction } from '../features/students/student-url-search-params.ts';
import { isNotFound } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './Student.module.css';

const StudentDialogs = lazy(async () => ({
  default: (await import('./StudentDialogs.tsx')).StudentDialogs,
}));

export function StudentPage() {
  const { id } = useParams({ from: '/tutor/students/$id' });
  const overview = useQuery(studentOverviewQuery(Number(id)));
  if (overview.data) return <StudentDetails key={id} overview={overview.data} />;
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/students' }, label: 'Back to students' }} />
      <Card>
        {overview.isPending && <RowSkeleton rows={5} />}
        {overview.isError && isNotFound(overview.error) && (
          <RecordNotFound list="students">Student not found</RecordNotFound>
        )}
        {overview.isError && !isNotFound(overview.error) && (
          <LoadError onRetry={() => void overview.refetch()}>
            We couldn't load this student.
          </LoadError>
        )}
      </Card>
    </NarrowContainer>
  );
}

function StudentDetails({ overview }: { overview: StudentOverview }) {
  const { student } = overview;
  const { today } = useTutor();
  const { tab = 'lessons' } = useSearch({ from: '/tutor/students/$id' });
  const navigate = useNavigate();
  const isWide = useHasRoomForDetail();
  const [action, setAction] = useState<StudentAction | null>(null);
  usePageTitle(student.name);
  const menu = <StudentMenu name={student.name} onAction={setAction} />;
  const parts = { overview, today, onAction: setAction };
  const tabs = (
    <StudentTabs
      {...parts}
      tab={tab}
      newLessonVariant="filled"
      onTab={(next) =>
        void navigate({
          to: '/students/$id',
          params: { id: String(student.id) },
          search: next === 'lessons' ? {} : { tab: next },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
  return (
    <>
      <Link to="/students" className={classes.back}>
        <IconArrowLeft size={18} stroke={1.8} />
        Students
      </Link>
      <div className={classes.page}>
        <div className={classes.main}>
          <StudentHeader overview={overview} today={today} level={1}>
            {isWide && <HeaderActions {...parts} />}
            {menu}
          </StudentHeader>
          {!isWide && <PhoneActions {...parts} />}
          <NextLessonBar {...parts} />
          {!isWide && <StudentFigures overview={overview} />}
          {isWide ? <Card>{tabs}</Card> : <div>{tabs}</div>}
        </div>
        {isWide && (
          <div className={classes.side}>
            {tab !== 'money' && (
              <Card
                heading="Money"
                aside={
                  <Button variant="subtle" onClick={() => setAction('payment')}>
                    Record payment
                  </Button>
                }
              >
                <StudentMoneySummary overview={overview} today={today} />
                <StudentRates student={student} today={today} />
              </Card>
            )}
            {tab !== 'people' && (
              <Card heading="People">
                <StudentPeople student={student} compact />
              </Card>
            )}
          </div>
        )}
      </div>
      <LazyMount opened={action !== null}>
        <StudentDialogs
          overview={overview}
          today={today}
          action={action}
          onClose={() => setAction(null)}
          onDeleted={() => void navigate({ to: '/students', replace: true })}
        />
      </LazyMount>
    </>
  );
}

interface ActionsProps {
  overview: StudentOverview;
  onAction: (action: StudentAction) => void;
}

function HeaderActions({ overview: { family }, onAction }: ActionsProps) {
  return (
    <>
      {family && (
        <ButtonLink
          to="/messages/new"
          search={{ families: String(family.id) }}
          variant="default"
          leftSection={<IconMessage size={18} stroke={1.8} />}
        >
          Message
        </ButtonLink>
      )}
      <Button
        variant="default"
        leftSection={<IconNote size={18} stroke={1.8} />}
        onClick={() => onAction('note')}
      >
        Add note
      </Button>
    </>
  );
}

/** Four large buttons under the name. */
function PhoneActions({ overview: { family }, onAction }: ActionsProps) {
  return (
    <div className={classes.phoneActions}>
      <Button variant="light" onClick={() => onAction('lesson')}>
        <IconPlus size={18} stroke={1.8} />
        Lesson
      </Button>
      <Button variant="light" onClick={() => onAction('payment')}>
        <IconCash size={18} stroke={1.8} />
        Payment
      </Button>
      {family && (
        <ButtonLink to="/messages/new" search={{ families: String(family.id) }} variant="light">
          <IconMessage size={18} stroke={1.8} />
          Message
        </ButtonLink>
      )}
      <Button variant="light" onClick={() => onAction('note')}>
        <IconNote size={18} stroke={1.8} />
        Note
      </Button>
    </div>
  );
}
