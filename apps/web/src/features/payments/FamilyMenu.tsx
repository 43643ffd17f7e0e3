import type { FamilyDetails } from '@lessonbook/contract/families';
import { ActionIcon } from '@mantine/core';
import {
  IconAddressBook,
  IconCalendarDollar,
  IconCircleOff,
  IconDotsVertical,
  IconFileTypePdf,
  IconMail,
  IconMessage,
  IconPhone,
  IconScale,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import classes from './FamilyMenu.module.css';

const EditFamilyModal = lazy(async () => ({
  default: (await import('./EditFamilyModal.tsx')).EditFamilyModal,
}));

const OpeningBalanceDialog = lazy(async () => ({
  default: (await import('./OpeningBalanceDialog.tsx')).OpeningBalanceDialog,
}));

const StatementModal = lazy(async () => ({
  default: (await import('./StatementModal.tsx')).StatementModal,
}));

const WriteOffDialog = lazy(async () => ({
  default: (await import('./WriteOffDialog.tsx')).WriteOffDialog,
}));

const InstalmentsDialog = lazy(async () => ({
  default: (await import('./InstalmentsDialog.tsx')).InstalmentsDialog,
}));

type Opened = 'details' | 'opening-balance' | 'statement' | 'instalments' | 'write-off';

/** Less common account actions. */
export function FamilyMenu({ family, today }: { family: FamilyDetails; today: string }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <DropdownMenu
        width={240}
        target={
          <ActionIcon
            variant="default"
            size={44}
            radius="md"
            aria-label="More actions for this account"
          >
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item
              leftSection={<IconMessage size={18} stroke={1.8} />}
              renderRoot={(props) => (
                <Link to="/messages" search={{ family: family.id }} {...props} />
              )}
            >
              Messages
            </Menu.Item>
            <Menu.Item
              leftSection={<IconAddressBook size={18} stroke={1.8} />}
              onClick={() => setOpened('details')}
            >
              Address, reference and time zone
            </Menu.Item>
            <Menu.Item
              leftSection={<IconScale size={18} stroke={1.8} />}
              onClick={() => setOpened('opening-balance')}
            >
              Opening balance
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFileTypePdf size={18} stroke={1.8} />}
              onClick={() => setOpened('statement')}
            >
              Statement (PDF)
            </Menu.Item>
            {family.due.some(({ overdue }) => overdue > 0) && (
              <Menu.Item
                leftSection={<IconCalendarDollar size={18} stroke={1.8} />}
                onClick={() => setOpened('instalments')}
              >
                Agree instalments
              </Menu.Item>
            )}
            {family.balances.some(({ owed }) => owed > 0) && (
              <Menu.Item
                leftSection={<IconCircleOff size={18} stroke={1.8} />}
                onClick={() => setOpened('write-off')}
              >
                Write off
              </Menu.Item>
            )}
          </>
        )}
      </DropdownMenu>
      <LazyMount opened={opened === 'details'}>
        <EditFamilyModal family={family} opened={opened === 'details'} onClose={close} />
      </LazyMount>
      <LazyMount opened={opened === 'opening-balance'}>
        <OpeningBalanceDialog
          family={family}
          today={today}
          opened={opened === 'opening-balance'}
          onClose={close}
        />
      </LazyMount>
      <LazyMount opened={opened === 'statement'}>
        <StatementModal
          familyId={family.id}
          today={today}
          opened={opened === 'statement'}
          onClose={close}
        />
      </LazyMount>
      <LazyMount opened={opened === 'instalments'}>
        <InstalmentsDialog
          family={family}
          today={today}
          opened={opened === 'instalments'}
          onClose={close}
        />
      </LazyMount>
      <LazyMount opened={opened === 'write-off'}>
        <WriteOffDialog
          family={family}
          today={today}
          opened={opened === 'write-off'}
          onClose={close}
        />
      </LazyMount>
    </>
  );
}

export const MessageLink = ({ family: { id, name } }: { family: FamilyDetails }) => (
  <ActionIcon
    variant="default"
    size={44}
    radius="md"
    aria-label={`Message ${name}`}
    renderRoot={(props) => <Link to="/messages/new" search={{ families: String(id) }} {...props} />}
  >
    <IconMessage size={20} stroke={1.8} />
  </ActionIcon>
);

/** The children and the ways to reach the payer. */
export function FamilyContact({ family }: { family: FamilyDetails }) {
  const { name, email, phone } = family;
  return (
    <div className={classes.contact}>
      <p className={classes.children}>
        <FamilyChildren family={family} />
      </p>
      <MessageLink family={family} />
      {email && (
        <ActionIcon
          component="a"
          href={`mailto:${email}`}
          variant="default"
          size={44}
          radius="md"
          aria-label={`Email ${name}`}
        >
          <IconMail size={20} stroke={1.8} />
        </ActionIcon>
      )}
      {phone && (
        <ActionIcon
          component="a"
          href={`tel:${phone.replace(/\s/g, '')}`}
          variant="default"
          size={44}
          radius="md"
          aria-label={`Call ${name}`}
        >
          <IconPhone size={20} stroke={1.8} />
        </ActionIcon>
      )}
    </div>
  );
}

/** 'Maya Hale, Leo Hale', with links to the pages of current students. A student who pays for themselves is not named again. */
export function FamilyChildren({ family: { children, studentId } }: { family: FamilyDetails }) {
  if (children.length === 0) return 'No students';
  return (
    <>
      {children.map(({ id, name, isCurrent }, index) => {
        const label =
          id === studentId && children.length === 1 ? 'Pays for their own lessons' : name;
        return (
          <span key={id}>
            {index > 0 && ', '}
            {isCurrent ? (
              <Link to="/students/$id" params={{ id: String(id) }}>
                {label}
              </Link>
            ) : (
              label
            )}
          </span>
        );
      })}
    </>
  );
}
