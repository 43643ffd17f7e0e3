import { ActionIcon } from '@mantine/core';
import {
  IconDoorExit,
  IconDotsVertical,
  IconPencil,
  IconTrash,
  IconUserPause,
} from '@tabler/icons-react';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import type { StudentAction } from './student-url-search-params.ts';

interface Props {
  name: string;
  onAction: (action: StudentAction) => void;
}

/** Less common actions for a student. */
export function StudentMenu({ name, onAction }: Props) {
  return (
    <DropdownMenu
      width={220}
      target={
        <ActionIcon variant="default" size={44} radius="md" aria-label={`More about ${name}`}>
          <IconDotsVertical size={20} stroke={1.8} />
        </ActionIcon>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item
            leftSection={<IconPencil size={18} stroke={1.8} />}
            onClick={() => onAction('edit')}
          >
            Edit student
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUserPause size={18} stroke={1.8} />}
            onClick={() => onAction('status')}
          >
            Change status
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDoorExit size={18} stroke={1.8} />}
            onClick={() => onAction('leave')}
          >
            Student is leaving
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={18} stroke={1.8} />}
            onClick={() => onAction('delete')}
          >
            Delete student
          </Menu.Item>
        </>
      )}
    </DropdownMenu>
  );
}
