import { formatTime12 } from '@lessonbook/contract/format-time';
import {
  customTitle,
  isGroup,
  lessonName,
  shortLessonName,
} from '@lessonbook/contract/lesson-names';
import type { Session } from '@lessonbook/contract/sessions';
import { ActionIcon, Button } from '@mantine/core';
import { IconArrowsExchange, IconCheck, IconDots, IconRotate2, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { BackButton } from '../../components/BackButton.tsx';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import {
  formatDayMonth,
  formatLongDate,
  formatRelativeDate,
  formatShortDate,
} from '../../lib/format.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import classes from './SessionHeader.module.css';
import type { SessionModal } from './SessionModals.tsx';
import { sessionStatusLabel } from './shared/SessionStatus.tsx';
import { WaiveFeeButton } from './WaiveFeeButton.tsx';

interface Props {
  session: Session;
  today: string;
  onOpen: (modal: SessionModal) => void;
}

/** The date, student, time and status of a lesson, with its actions. */
export function SessionHeader({ session, today, onOpen }: Props) {
  const { date } = session;
  const time = `${formatTime12(session.startTime)} to ${formatTime12(session.endTime)}`;
  const name = lessonName(session);
  const title = !isGroup(session) && customTitle(session);
  usePageTitle(`${name}, ${time}`);
  return (
    <header className={classes.header}>
      <div className={classes.trail}>
        <BackButton
          parent={{ link: { to: '/schedule', search: { date } }, label: 'Back to schedule' }}
        />
        <span className={classes.pageName} aria-hidden="true">
          Lesson
        </span>
        <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
          <Link to="/schedule">Schedule</Link>
          <Link to="/schedule" search={{ date }}>
            {formatShortDate(date, today)}
          </Link>
          <span>
            {shortLessonName(session)}, {formatTime12(session.startTime)}
          </span>
        </nav>
      </div>
      <div className={classes.head}>
        <DateTile date={date} isToday={date === today} />
        <div className={classes.titles}>
          <h1>
            {name}
            <span className={classes.wide}>, {time}</span>
          </h1>
          <p>
            {formatDay(date, today)}
            <span className={classes.narrow}>, {time}</span>. {session.subjectName}
            {title && `, ${title}`}. {session.duration} minutes.{' '}
            <SessionStatusText status={session.status} />
          </p>
        </div>
        <SessionMenu session={session} onOpen={onOpen} />
        <div className={classes.actions} data-sticky-footer>
          <SessionActions session={session} today={today} onOpen={onOpen} />
        </div>
      </div>
    </header>
  );
}

/** 'Today', 'Tomorrow', 'Yesterday', or 'Tuesday 17 November 2026'. */
function formatDay(date: string, today: string): string {
  const relative = formatRelativeDate(date, today);
  if (relative === formatShortDate(date, today)) return formatLongDate(date);
  return relative.charAt(0).toUpperCase() + relative.slice(1);
}

function DateTile({ date, isToday }: { date: string; isToday: boolean }) {
  const [day, month] = formatDayMonth(date).split(' ');
  return (
    <span className={classes.tile} data-today={isToday || undefined} aria-hidden="true">
      <b>{day}</b>
      {month}
    </span>
  );
}

function SessionStatusText({ status }: { status: string }) {
  const { label, kind } = sessionStatusLabel(status);
  return <b data-status={kind}>{label}</b>;
}

function SessionActions({ session, today, onOpen }: Props) {
  const { status, charged, outstanding, rescheduledTo } = session;
  if (status === 'scheduled') {
    return (
      <>
        <Button
          variant="default"
          leftSection={<IconArrowsExchange size={18} stroke={1.8} />}
          onClick={() => onOpen('move')}
        >
          Move
        </Button>
        <Button
          variant="default"
          leftSection={<IconX size={18} stroke={1.8} />}
          onClick={() => onOpen('cancel')}
        >
          Cancel lesson
        </Button>
        <Button
          className={classes.main ?? ''}
          leftSection={<IconCheck size={18} stroke={2.2} />}
          onClick={() => onOpen('complete')}
        >
          Complete
        </Button>
      </>
    );
  }
  return (
    <>
      {(status === 'completed' || status === 'cancelled') && (
        <Button
          variant="default"
          leftSection={<IconRotate2 size={18} stroke={1.8} />}
          onClick={() => onOpen('reopen')}
        >
          Reopen
        </Button>
      )}
      {status === 'cancelled' && !!charged && <WaiveFeeButton id={session.id} />}
      {!!outstanding && (
        <ButtonLink
          to="/payments/create/$lessonId"
          params={{ lessonId: String(session.lessonId) }}
          search={{ session: session.id }}
        >
          Record payment
        </ButtonLink>
      )}
      {rescheduledTo && (
        <ButtonLink to="/sessions/$id" params={{ id: String(rescheduledTo.id) }}>
          Go to {formatShortDate(rescheduledTo.date, today)}
        </ButtonLink>
      )}
    </>
  );
}

function SessionMenu({ session, onOpen }: Omit<Props, 'today'>) {
  const isScheduled = session.status === 'scheduled';
  const { familyId } = session;
  if (!isScheduled && !session.isRecurring && familyId === null) return null;
  return (
    <div className={classes.menu}>
      <DropdownMenu
        width={200}
        target={
          <ActionIcon variant="default" size={42} radius="md" aria-label="More actions">
            <IconDots size={20} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            {isScheduled && <Menu.Item onClick={() => onOpen('edit')}>Edit lesson</Menu.Item>}
            {session.isRecurring && (
              <Menu.Item onClick={() => onOpen('edit-series')}>Edit series</Menu.Item>
            )}
            {familyId !== null && (
              <Menu.Item
                renderRoot={(props) => (
                  <Link to="/families/$id" params={{ id: String(familyId) }} {...props} />
                )}
              >
                View account
              </Menu.Item>
            )}
            {(isScheduled || session.isRecurring) && (
              <Menu.Item color="red" onClick={() => onOpen('delete')}>
                Delete
              </Menu.Item>
            )}
          </>
        )}
      </DropdownMenu>
    </div>
  );
}
