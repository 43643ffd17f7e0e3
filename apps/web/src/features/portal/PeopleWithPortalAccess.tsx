import type { PortalContact, PortalSettings } from '@lessonbook/contract/portal-management';
import { ActionIcon } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, startTransition, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { Card } from '../../components/Card.tsx';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { formatList, initials } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import {
  portalContactsQuery,
  signInAddressNoun,
  useSignOutContact,
  useSuspendContact,
} from './api.ts';
import classes from './PortalSettings.module.css';

const ContactActivityModal = lazy(async () => ({
  default: (await import('./ContactActivityModal.tsx')).ContactActivityModal,
}));

/** With fewer people, a search takes longer than reading the list. */
const SEARCH_THRESHOLD = 8;

interface PeopleProps {
  settings: PortalSettings;
  dateContext: DateContext;
  onPreview: (contact: PortalContact) => void;
}

/** Everyone with access to a student, and what they may see in the portal. */
export function PeopleWithPortalAccess({
  settings: { openedAt, hasWhatsApp, contactCounts },
  dateContext,
  onPreview,
}: PeopleProps) {
  const [search, setSearch] = useState('');
  const people = useInfiniteQuery(portalContactsQuery(search));
  const [isActivityOpened, setActivityOpened] = useState(false);
  const [viewed, setViewed] = useState<PortalContact | null>(null);

  function showActivity(contact: PortalContact) {
    startTransition(() => {
      setViewed(contact);
      setActivityOpened(true);
    });
  }

  return (
    <Card heading="People">
      <p className={classes.hint}>
        {openedAt ? 'What each person can see.' : 'What each person would see.'} To change it, press
        the student's name and then edit the contact.
      </p>
      {contactCounts.total > SEARCH_THRESHOLD && (
        <SearchField
          label="Search people"
          placeholder="Search people"
          className={classes.search}
          value={search}
          onChange={setSearch}
        />
      )}
      {people.isPending && <RowSkeleton rows={3} />}
      {people.isError && !people.data && (
        <LoadError onRetry={() => void people.refetch()}>We couldn't load the people.</LoadError>
      )}
      <ul className={classes.people}>
        {people.data?.pages.flat().map((contact) => (
          <PersonRow
            key={contact.id}
            contact={contact}
            isOpen={openedAt !== null}
            addressNoun={signInAddressNoun(hasWhatsApp)}
            dateContext={dateContext}
            onPreview={() => onPreview(contact)}
            onShowActivity={() => showActivity(contact)}
          />
        ))}
      </ul>
      {search !== '' && people.data?.pages[0]?.length === 0 && (
        <p className={classes.hint} role="status">
          No results for “{search}”
        </p>
      )}
      <ShowMore list={people} />
      {viewed && (
        <LazyMount opened={isActivityOpened}>
          <ContactActivityModal
            contact={viewed}
            dateContext={dateContext}
            opened={isActivityOpened}
            onClose={() => setActivityOpened(false)}
          />
        </LazyMount>
      )}
    </Card>
  );
}

interface PersonProps {
  contact: PortalContact;
  isOpen: boolean;
  addressNoun: string;
  dateContext: DateContext;
  onPreview: () => void;
  onShowActivity: () => void;
}

function PersonRow(props: PersonProps) {
  const { contact, isOpen, addressNoun, dateContext, onPreview, onShowActivity } = props;
  const { name, hasAddress, isSuspended, students, lastSeenAt, sharesAddress } = contact;
  const signOut = useSignOutContact();
  const suspend = useSuspendContact();
  return (
    <li>
      <Avatar initials={initials(name)} />
      <div>
        <h3>
          {name}
          {isSuspended && <span className={classes.suspended}>Suspended</span>}
        </h3>
        {students.map((student) => (
          <p key={student.id}>
            <Link to="/students/$id" params={{ id: String(student.id) }} search={{ tab: 'people' }}>
              {student.name}
            </Link>
            : {formatAccess(student)}
          </p>
        ))}
        {isOpen && hasAddress && (
          <p className={classes.hint}>
            {lastSeenAt
              ? `Last visit ${formatTimestamp(lastSeenAt, dateContext)}`
              : 'No visits yet'}
          </p>
        )}
        {!hasAddress && <p className={classes.warning}>No {addressNoun}, so they can't sign in.</p>}
        {sharesAddress && (
          <p className={classes.warning}>
            Another person has the same {addressNoun}, so they share a login and each can see
            everything the other can.
          </p>
        )}
      </div>
      <DropdownMenu
        target={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={`More options for ${name}`}
          >
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item onClick={onPreview}>Preview</Menu.Item>
            <Menu.Item onClick={onShowActivity}>Browsers and activity</Menu.Item>
            {isOpen && hasAddress && (
              <Menu.Item onClick={() => signOut.mutate(contact)}>Sign out everywhere</Menu.Item>
            )}
            <Menu.Item onClick={() => suspend.mutate(contact)}>
              {isSuspended ? 'Restore access' : 'Suspend'}
            </Menu.Item>
          </>
        )}
      </DropdownMenu>
    </li>
  );
}

/** 'lessons, locations and prices'; locations and prices are shown only with lessons. */
function formatAccess(access: PortalContact['students'][number]): string {
  const { seesLessons, seesPlace, seesNotes, seesMoney } = access;
  const parts = [
    seesLessons && 'lessons',
    seesLessons && seesPlace && 'locations',
    seesNotes && 'notes',
    seesLessons && seesMoney && 'prices',
  ].filter((part) => part !== false);
  return parts.length > 0 ? formatList(parts) : 'nothing yet';
}
