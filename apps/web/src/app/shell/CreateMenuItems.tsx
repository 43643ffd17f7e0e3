import type { ComponentProps, ReactElement } from 'react';
import { OpenedMenu } from '../../components/OpenedMenu.tsx';
import { CREATE_ACTIONS } from '../../features/command-palette/create-actions.ts';
import { requestCreate } from '../../features/command-palette/shared/open-create-dialog.ts';

/** Loaded on the first click and opened immediately. */
export function CreateMenuItems({ button }: { button: ReactElement<ComponentProps<'button'>> }) {
  return (
    <OpenedMenu position="bottom-start" width={220} target={button}>
      {(Menu) =>
        CREATE_ACTIONS.map(({ id, label, Icon }) => (
          <Menu.Item
            key={id}
            leftSection={<Icon size={18} stroke={1.8} />}
            onClick={() => requestCreate(id)}
          >
            {label}
          </Menu.Item>
        ))
      }
    </OpenedMenu>
  );
}
