import type { Period } from '@lessonbook/contract/periods';
import { ActionIcon } from '@mantine/core';
import { IconDotsVertical, IconFileTypePdf, IconTable } from '@tabler/icons-react';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';

/** Exports the selected period, using plain download links. */
export function ExportMenu({ period }: { period: Period }) {
  return (
    <DropdownMenu
      width={200}
      target={
        <ActionIcon variant="default" size={44} radius="md" aria-label="Export">
          <IconDotsVertical size={20} stroke={1.8} />
        </ActionIcon>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item
            component="a"
            href={`/api/reports/earnings.csv?period=${period}`}
            download
            leftSection={<IconTable size={18} stroke={1.8} />}
          >
            Export CSV
          </Menu.Item>
          <Menu.Item
            component="a"
            href={`/api/reports/earnings.pdf?period=${period}`}
            download
            leftSection={<IconFileTypePdf size={18} stroke={1.8} />}
          >
            Export PDF
          </Menu.Item>
        </>
      )}
    </DropdownMenu>
  );
}
