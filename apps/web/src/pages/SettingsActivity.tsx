import { type AuditAction, type AuditEntry, audit } from '@lessonbook/contract/audit';
import {
  IconArrowBackUp,
  IconBrandGoogle,
  IconCalendar,
  IconCalendarDollar,
  IconCalendarOff,
  IconCircleOff,
  IconCreditCard,
  IconDownload,
  IconEraser,
  IconFileX,
  IconKey,
  IconLink,
  IconLogin2,
  IconMail,
  IconMessageQuestion,
  IconPencil,
  IconShieldLock,
  IconUpload,
  IconUsers,
  IconUserX,
} from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { type DateContext, formatTimestamp } from '../lib/format-timestamp.ts';
import { callApi } from '../lib/http.ts';
import classes from './SettingsActivity.module.css';

const PAGE_SIZE = 50;

const activityQuery = infiniteQueryOptions({
  queryKey: ['/api/activity'],
  queryFn: ({ pageParam }) =>
    callApi(audit.listAuditEntries, { query: { limit: PAGE_SIZE, offset: pageParam } }),
  initialPageParam: 0,
  getNextPageParam: (last, all) =>
    last.entries.length < PAGE_SIZE ? undefined : all.length * PAGE_SIZE,
  // Always fetched, so that the newest entry is included.
  staleTime: 0,
});

export function SettingsActivityPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <ActivityList dateContext={tutor} />
    </NarrowContainer>
  );
}

const icons: Record<AuditAction, typeof IconKey> = {
  login: IconLogin2,
  failed_logins: IconLogin2,
  logins_ended: IconLogin2,
  password_changed: IconKey,
  password_reset: IconKey,
  email_changed: IconMail,
  email_reverted: IconMail,
  google_linked: IconBrandGoogle,
  google_unlinked: IconBrandGoogle,
  second_factor_enabled: IconShieldLock,
  second_factor_disabled: IconShieldLock,
  passkey_added: IconShieldLock,
  passkey_removed: IconShieldLock,
  recovery_code_used: IconShieldLock,
  recovery_codes_regenerated: IconShieldLock,
  mfa_removal_requested: IconShieldLock,
  mfa_removal_cancelled: IconShieldLock,
  mfa_removed: IconShieldLock,
  calendar_connected: IconCalendar,
  calendar_disconnected: IconCalendar,
  cards_connected: IconCreditCard,
  feed_shown: IconCalendar,
  feed_replaced: IconCalendar,
  bank_details_changed: IconCreditCard,
  business_details_changed: IconPencil,
  message_texts_changed: IconMail,
  link_replaced: IconLink,
  invoice_voided: IconFileX,
  prices_raised: IconPencil,
  students_left: IconCalendar,
  days_changed: IconCalendar,
  days_change_undone: IconCalendar,
  not_arrived_sent: IconMail,
  payment_reversed: IconArrowBackUp,
  payment_refunded: IconArrowBackUp,
  export_requested: IconDownload,
  export_downloaded: IconDownload,
  students_imported: IconUpload,
  lessons_imported: IconUpload,
  contact_access_changed: IconShieldLock,
  note_withdrawn: IconArrowBackUp,
  note_readers_changed: IconShieldLock,
  portal_opened: IconUsers,
  portal_closed: IconUsers,
  contact_signed_out: IconLogin2,
  lessons_cancelled_by_family: IconCalendarOff,
  move_requested_by_family: IconCalendarOff,
  lesson_moved_by_family: IconCalendarOff,
  instalments_agreed: IconCalendarDollar,
  instalments_ended: IconCalendarDollar,
  charges_written_off: IconCircleOff,
  write_off_reversed: IconCircleOff,
  charge_queried_by_family: IconMessageQuestion,
  contact_changed_by_family: IconUsers,
  agreement_published: IconUsers,
  agreement_accepted_by_family: IconUsers,
  contact_suspended: IconUserX,
  contact_unsuspended: IconShieldLock,
  payers_changed: IconCreditCard,
  person_erased: IconEraser,
  deletion_requested: IconUserX,
  deletion_cancelled: IconUserX,
  data_restored: IconArrowBackUp,
};

/** The account's audit log, newest first. */
function ActivityList({ dateContext }: { dateContext: DateContext }) {
  const list = useInfiniteQuery(activityQuery);
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Card>
      {list.isPending && <RowSkeleton rows={5} />}
      {list.isSuccess && entries.length === 0 && (
        <EmptyState illustration={<Illustration name="bell" size={112} />}>
          Nothing yet. Logins and changes to your account will be listed here.
        </EmptyState>
      )}
      <ul>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} dateContext={dateContext} />
        ))}
      </ul>
      {list.isError && (
        <LoadError
          onRetry={() => void (entries.length > 0 ? list.fetchNextPage() : list.refetch())}
        >
          We couldn't load your activity.
        </LoadError>
      )}
      {!list.isError && <ShowMore list={list} />}
    </Card>
  );
}

function Row({ entry, dateContext }: { entry: AuditEntry; dateContext: DateContext }) {
  const Icon = icons[entry.action];
  return (
    <li className={classes.item}>
      <Icon size={20} stroke={1.8} className={classes.icon} />
      <span className={classes.text}>
        <span>{entry.text}</span>{' '}
        <small>
          {formatTimestamp(entry.at, dateContext)}
          {entry.from && ` · ${entry.from}`}
        </small>
      </span>
    </li>
  );
}
