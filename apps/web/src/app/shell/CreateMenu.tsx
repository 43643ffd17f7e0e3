import { IconPlus } from '@tabler/icons-react';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import classes from './CreateMenu.module.css';

const CreateMenuItems = lazy(async () => ({
  default: (await import('./CreateMenuItems.tsx')).CreateMenuItems,
}));

/** The + button and its menu, which is loaded on the first click. */
export function CreateMenu() {
  const [requested, setRequested] = useState(false);
  const placeholder = (
    <CreateButton aria-haspopup="menu" aria-expanded={false} onClick={() => setRequested(true)} />
  );
  if (!requested) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <CreateMenuItems button={<CreateButton />} />
    </Suspense>
  );
}

const CreateButton = (props: ComponentProps<'button'>) => (
  <button
    type="button"
    {...props}
    className={classes.button}
    aria-label="New"
    aria-keyshortcuts="N"
    data-create-menu
  >
    <IconPlus size={18} stroke={2} />
  </button>
);
