import type { StudentListItem } from '@lessonbook/contract/student-overview-and-timeline';
import { ActionIcon, Button } from '@mantine/core';
import { IconDoorExit, IconDotsVertical, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { DropdownMenu } from '../components/DropdownMenu.tsx';
import { FilterPills } from '../components/FilterPills.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { ListWithDetail, useHasRoomForDetail } from '../components/ListWithDetail.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { SearchField } from '../components/SearchField.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { studentListQuery } from '../features/students/api.ts';
import { countStudentsByFilter, filterStudents } from '../features/students/filter-students.ts';
import { StudentRows } from '../features/students/StudentRows.tsx';
import type { StudentsSearch } from '../features/students/student-url-search-params.ts';
import classes from './Students.module.css';

const DepartureDialog = lazy(async () => ({
  default: (await import('../features/students/DepartureDialog.tsx')).DepartureDialog,
}));
const StudentDialog = lazy(async () => ({
  default: (await import('../features/students/StudentDialog.tsx')).StudentDialog,
}));
const StudentPanel = lazy(async () => ({
  default: (await import('./StudentPanel.tsx')).StudentPanel,
}));

/** All students with their next lesson and balance; on wide screens with the selected student beside them. */
export function StudentsPage() {
  const list = useQuery(studentListQuery);
  const { today } = useTutor();
  const [isAdding, setIsAdding] = useState(false);
  const [isSeasonEnding, setIsSeasonEnding] = useState(false);
  return (
    <>
      <PageHeader
        action={
          <>
            {list.data && list.data.length > 0 && (
              <MoreMenu onEndSeason={() => setIsSeasonEnding(true)} />
            )}
            <Button
              leftSection={<IconPlus size={18} stroke={1.8} />}
              onClick={() => setIsAdding(true)}
            >
              Add Student
            </Button>
          </>
        }
      />
      {list.data && list.data.length > 0 && <Students students={list.data} />}
      {!list.data && (
        <Card>
          {list.isPending && <RowSkeleton rows={8} />}
          {list.isError && (
            <LoadError onRetry={() => void list.refetch()}>
              We couldn't load your students. Your records are safe.
            </LoadError>
          )}
        </Card>
      )}
      {list.data?.length === 0 && <NoStudents />}
      <LazyMount opened={isAdding}>
        <StudentDialog student={null} opened={isAdding} onClose={() => setIsAdding(false)} />
      </LazyMount>
      <LazyMount opened={isSeasonEnding}>
        <DepartureDialog
          student={null}
          today={today}
          opened={isSeasonEnding}
          onClose={() => setIsSeasonEnding(false)}
        />
      </LazyMount>
    </>
  );
}

const MoreMenu = ({ onEndSeason }: { onEndSeason: () => void }) => (
  <DropdownMenu
    width={230}
    target={
      <ActionIcon variant="default" size={44} radius="md" aria-label="More for students">
        <IconDotsVertical size={20} stroke={1.8} />
      </ActionIcon>
    }
  >
    {(Menu) => (
      <Menu.Item leftSection={<IconDoorExit size={18} stroke={1.8} />} onClick={onEndSeason}>
        End of exam season
      </Menu.Item>
    )}
  </DropdownMenu>
);

const NoStudents = () => (
  <Card>
    <EmptyState
      illustration={<Illustration name="students" size={150} />}
      title="Your students will be listed here"
      action={
        <ButtonLink to="/settings/import" variant="light">
          Import a spreadsheet
        </ButtonLink>
      }
    >
      Add your first student with a name and a way to contact the family. You can add lessons, notes
      and payments later.
    </EmptyState>
  </Card>
);

function Students({ students }: { students: readonly StudentListItem[] }) {
  const { today } = useTutor();
  const search = useSearch({ from: '/tutor/students' });
  const navigate = useNavigate({ from: '/students' });
  const hasRoom = useHasRoomForDetail();
  const visible = filterStudents(students, search, today);
  const isListed = visible.some(({ id }) => id === search.student);
  const selectedId = (isListed ? search.student : visible[0]?.id) ?? null;
  const change = (changes: StudentsSearch) =>
    void navigate({ search: { ...search, ...changes }, replace: true, resetScroll: false });

  return (
    <ListWithDetail
      kind="list"
      detailLabel="Selected student"
      list={
        <div className={classes.card}>
          <Filters students={students} search={search} onChange={change} />
          {visible.length === 0 ? (
            <p className={classes.none} role="status">
              No students match.{' '}
              <Link to="/students" search={{}}>
                Clear filters
              </Link>
            </p>
          ) : (
            <StudentRows
              // A new filter or search starts at the top of the list.
              key={`${search.show} ${search.q}`}
              students={visible}
              today={today}
              selectedId={hasRoom ? selectedId : null}
              onSelect={hasRoom ? (student) => change({ student }) : undefined}
            />
          )}
        </div>
      }
      detail={
        hasRoom &&
        selectedId !== null && (
          <Suspense
            fallback={
              <Card>
                <RowSkeleton rows={6} />
              </Card>
            }
          >
            <StudentPanel key={selectedId} id={selectedId} />
          </Suspense>
        )
      }
    />
  );
}

interface FiltersProps {
  students: readonly StudentListItem[];
  search: StudentsSearch;
  onChange: (changes: StudentsSearch) => void;
}

function Filters({ students, search: { show = 'active', q = '' }, onChange }: FiltersProps) {
  const { today } = useTutor();
  return (
    <div className={classes.filters}>
      <SearchField
        label="Find a student or family"
        placeholder="Find a student or family"
        value={q}
        onChange={(text) => onChange({ q: text })}
      />
      <FilterPills
        label="Show"
        value={show}
        options={countStudentsByFilter(students, show, today)}
        onChange={(value) => onChange({ show: value })}
      />
    </div>
  );
}
