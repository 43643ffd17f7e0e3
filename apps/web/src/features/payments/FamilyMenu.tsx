import type { FamilyDetails } from '@lessonbook/contract/families';
import { ActionIcon } from '@mantine/core';
import {
  IconAddressBook,
  IconCalendarDollar,
  IconCircleOff,
  IconDotsVertical,
  IconFileTypePdf,
  IconMessage,
  IconScale,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';

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
