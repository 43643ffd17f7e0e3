import { ActionIcon, Menu } from '@mantine/core';
import { IconBeach, IconDotsVertical, IconNotebook, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ScheduleSearch } from './schedule-search.ts';

export function ScheduleMenu() {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="default" size={44} radius="md" aria-label="More views">
          <IconDotsVertical size={20} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUsers size={18} stroke={1.8} />}
          renderRoot={(props) => <Link to="/schedule" search={students} {...props} />}
        >
          View Students
        </Menu.Item>
        <Menu.Item
          leftSection={<IconNotebook size={18} stroke={1.8} />}
          renderRoot={(props) => <Link to="/schedule" search={subjects} {...props} />}
        >
          View Subjects
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconBeach size={18} stroke={1.8} />}
          renderRoot={(props) => <Link to="/settings/time-off" {...props} />}
        >
          Time off
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/* The chosen day stays in the address, so the way back leads to it. */
const students = (search: ScheduleSearch) => ({ ...search, view: 'students' as const });
const subjects = (search: ScheduleSearch) => ({ ...search, view: 'subjects' as const });
