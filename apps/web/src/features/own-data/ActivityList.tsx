import type { Act, ActivityEntry } from '@lessonbook/contract/activity';
import {
  IconArrowBackUp,
  IconBrandGoogle,
  IconCalendar,
  IconCreditCard,
  IconDownload,
  IconEraser,
  IconFileX,
  IconKey,
  IconLogin2,
  IconMail,
  IconShieldLock,
  IconUpload,
  IconUserX,
} from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { ShowMore } from '../../components/ShowMore.tsx';
import { Spot } from '../../components/Spot.tsx';
import { momentInWords, type Wall } from '../../lib/moments.ts';
import classes from './ActivityList.module.css';
import { activityQuery } from './api.ts';

const icons: Record<Act, typeof IconKey> = {
  login: IconLogin2,
  failed_logins: IconLogin2,
  logins_ended: IconLogin2,
  password_changed: IconKey,
  password_reset: IconKey,
  email_changed: IconMail,
  google_linked: IconBrandGoogle,
  google_unlinked: IconBrandGoogle,
  second_factor_on: IconShieldLock,
  second_factor_off: IconShieldLock,
  passkey_added: IconShieldLock,
  passkey_removed: IconShieldLock,
  recovery_code_used: IconShieldLock,
  recovery_codes_new: IconShieldLock,
  calendar_connected: IconCalendar,
  calendar_disconnected: IconCalendar,
  cards_connected: IconCreditCard,
  feed_replaced: IconCalendar,
  invoice_voided: IconFileX,
  payment_reversed: IconArrowBackUp,
  payment_refunded: IconArrowBackUp,
  export_asked: IconDownload,
  export_downloaded: IconDownload,
  students_imported: IconUpload,
  lessons_imported: IconUpload,
  person_erased: IconEraser,
  deletion_asked: IconUserX,
  deletion_cancelled: IconUserX,
  book_restored: IconArrowBackUp,
};

/** What was done to the account, newest first. */
export function ActivityList({ wall }: { wall: Wall }) {
  const list = useInfiniteQuery(activityQuery);
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Sheet>
      {list.isPending && <RowSkeleton rows={5} />}
      {list.isSuccess && entries.length === 0 && (
        <EmptyState drawing={<Spot name="bell" size={112} />}>
          Nothing yet. Logins and changes to your account will be listed here.
        </EmptyState>
      )}
      <ul>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} wall={wall} />
        ))}
      </ul>
      {list.isError && (
        <LoadError
          onRetry={() => void (entries.length > 0 ? list.fetchNextPage() : list.refetch())}
        >
          Your activity could not be loaded.
        </LoadError>
      )}
      {!list.isError && <ShowMore list={list} />}
    </Sheet>
  );
}

function Row({ entry, wall }: { entry: ActivityEntry; wall: Wall }) {
  const Icon = icons[entry.act];
  return (
    <li className={classes.item}>
      <Icon size={20} stroke={1.8} className={classes.icon} />
      <span className={classes.text}>
        <span>{entry.text}</span>{' '}
        <small>
          {momentInWords(entry.at, wall)}
          {entry.from && ` · ${entry.from}`}
        </small>
      </span>
    </li>
  );
}
