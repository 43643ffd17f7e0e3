import type { FamilyDetails } from '@lessonbook/contract/families';
import { ActionIcon } from '@mantine/core';
import { IconAddressBook, IconDotsVertical, IconMessage, IconScale } from '@tabler/icons-react';
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

/** Less common account actions. */
export function FamilyMenu({ family, today }: { family: FamilyDetails; today: string }) {
  const [opened, setOpened] = useState<'details' | 'opening-balance' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <DropdownMenu
        width={240}
        target={
          <ActionIcon variant="default" size={44} radius="md" aria-label="More about this account">
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
              Address and reference
            </Menu.Item>
            <Menu.Item
              leftSection={<IconScale size={18} stroke={1.8} />}
              onClick={() => setOpened('opening-balance')}
            >
              Opening balance
            </Menu.Item>
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
    </>
  );
}
