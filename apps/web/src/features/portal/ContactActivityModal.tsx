import type { PortalBrowser } from '@lessonbook/contract/portal';
import type { PortalContact } from '@lessonbook/contract/portal-management';
import {
  type ContactActivityEntry,
  MAX_CONTACT_ACTIVITY_ENTRIES,
} from '@lessonbook/contract/portal-management';
import { Button } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import {
  firstName,
  formatRelativeDate,
  formatShortDate,
  formatTime,
  formatTotals,
  pluralize,
} from '../../lib/format.ts';
import { type DateContext, formatTimeAt, toLocalDate } from '../../lib/format-timestamp.ts';
import { contactActivityQuery, contactBrowsersQuery, useSignOutContact } from './api.ts';
import classes from './ContactActivityModal.module.css';

interface Props {
  contact: PortalContact;
  dateContext: DateContext;
  opened: boolean;
  onClose: () => void;
}

/** The browsers in which a person is signed in, and what they did in the portal. */
export function ContactActivityModal({ contact, dateContext, opened, onClose }: Props) {
  return (
    <ResponsiveModal
      title={`${contact.name} in the family portal`}
      opened={opened}
      onClose={onClose}
    >
      <Sections key={contact.id} contact={contact} dateContext={dateContext} onClose={onClose} />
    </ResponsiveModal>
  );
}

type SectionsProps = Omit<Props, 'opened'>;

function Sections(props: SectionsProps) {
  const browsers = useQuery(contactBrowsersQuery(props.contact.id));
  const activity = useQuery(contactActivityQuery(props.contact.id));
  if (browsers.data && activity.data) {
    return (
      <div className={classes.sections}>
        <BrowserSection {...props} browsers={browsers.data} />
        <ActivitySection {...props} entries={activity.data} />
      </div>
    );
  }
  if (!browsers.isError && !activity.isError) return <RowSkeleton rows={4} />;
  const retry = () => {
    for (const query of [browsers, activity]) if (query.isError) void query.refetch();
  };
  return <LoadError onRetry={retry}>We couldn't load their browsers and activity.</LoadError>;
}

interface BrowsersProps extends SectionsProps {
  browsers: readonly Omit<PortalBrowser, 'isCurrent'>[];
}

function BrowserSection({ contact, dateContext, browsers }: BrowsersProps) {
  const signOut = useSignOutContact();
  return (
    <section>
      <h3>Signed in now</h3>
      {browsers.length === 0 && (
        <p className={classes.empty}>
          {firstName(contact.name)} isn't signed in to the family portal.
        </p>
      )}
      {browsers.length > 0 && (
        <>
          <ul className={classes.browsers}>
            {browsers.map(({ id, device, firstSeenAt, lastSeenAt }) => {
              const Icon = /iPhone|iPad|Android/.test(device) ? IconDeviceMobile : IconDeviceLaptop;
              return (
                <li key={id}>
                  <Icon size={22} stroke={1.8} aria-hidden="true" />
                  <p>
                    <b>{device}</b>
                    <small>First visit {formatWhen(firstSeenAt, dateContext)}</small>
                    <small>Last visit {formatWhen(lastSeenAt, dateContext)}</small>
                  </p>
                </li>
              );
            })}
          </ul>
          <Button
            variant="default"
            disabled={signOut.isPending}
            onClick={() => signOut.mutate(contact)}
          >
            {signOut.isPending ? 'Signing out...' : 'Sign out everywhere'}
          </Button>
        </>
      )}
    </section>
  );
}

interface ActivityProps extends SectionsProps {
  entries: readonly ContactActivityEntry[];
}

function ActivitySection({ contact, dateContext, entries, onClose }: ActivityProps) {
  return (
    <section>
      <h3>Activity</h3>
      {entries.length === 0 && (
        <p className={classes.empty}>
          Nothing yet. When {firstName(contact.name)} signs in, cancels a lesson or asks to move
          one, it's shown here.
        </p>
      )}
      {entries.length > 0 && (
        <ol className={classes.entries}>
          {entries.map((entry, index) => (
            <li key={`${entry.at} ${index}`}>
              <small>{formatWhen(entry.at, dateContext)}</small>
              {entry.kind === 'signed_in' && <p>Signed in with {entry.device}.</p>}
              {entry.kind === 'cancelled' && (
                <Cancellation entry={entry} today={dateContext.today} onClose={onClose} />
              )}
              {entry.kind === 'asked_to_move' && (
                <p>
                  Asked to move{' '}
                  <LessonLink lesson={entry} today={dateContext.today} onClose={onClose} />.
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      {entries.length >= MAX_CONTACT_ACTIVITY_ENTRIES && (
        <p className={classes.empty}>
          Only the last {MAX_CONTACT_ACTIVITY_ENTRIES} entries are shown.
        </p>
      )}
    </section>
  );
}

type CancelledEntry = Extract<ContactActivityEntry, { kind: 'cancelled' }>;

interface LinkProps {
  lesson: { sessionId: number; studentName: string; date: string; startTime: string };
  today: string;
  onClose: () => void;
}

const LessonLink = ({ lesson, today, onClose }: LinkProps) => (
  <Link to="/sessions/$id" params={{ id: String(lesson.sessionId) }} onClick={onClose}>
    {lesson.studentName}'s lesson on {formatShortDate(lesson.date, today)} at{' '}
    {formatTime(lesson.startTime)}
  </Link>
);

interface CancellationProps {
  entry: CancelledEntry;
  today: string;
  onClose: () => void;
}

function Cancellation({ entry, today, onClose }: CancellationProps) {
  const links = entry.lessons.map((lesson) => (
    <LessonLink key={`${lesson.sessionId} ${lesson.studentName}`} {...{ lesson, today, onClose }} />
  ));
  if (links.length === 1) {
    return (
      <p>
        Cancelled {links[0]}. {formatCost(entry)}
      </p>
    );
  }
  return (
    <>
      <p>
        Cancelled {pluralize(links.length, 'lesson')}. {formatCost(entry)}
      </p>
      <ul className={classes.lessons}>
        {links.map((link) => (
          <li key={link.key}>{link}</li>
        ))}
      </ul>
    </>
  );
}

/** 'Cancellation fee: £17.50, not charged.' */
function formatCost({ lessons, isWaived }: CancelledEntry): string {
  const freeCount = lessons.filter(({ usesFreeCancellation }) => usesFreeCancellation).length;
  const free =
    freeCount === 0
      ? ''
      : freeCount === 1
        ? ' A free late cancellation was used.'
        : ` ${freeCount} free late cancellations were used.`;
  const fees = lessons.filter(({ fee }) => fee > 0);
  if (fees.length === 0) return `No charge.${free}`;
  const total = formatTotals(fees.map(({ fee, currency }) => ({ minor: fee, currency })));
  const label = fees.length === 1 ? 'Cancellation fee' : 'Cancellation fees';
  return `${label}: ${total}${isWaived ? ', not charged' : ''}.${free}`;
}

/** 'today 16:05', 'yesterday 16:05' or 'Tue 17 Nov 16:05' */
function formatWhen(timestamp: string, dateContext: DateContext): string {
  const date = toLocalDate(timestamp, dateContext);
  return `${formatRelativeDate(date, dateContext.today)} ${formatTimeAt(timestamp, dateContext)}`;
}
