import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { navigationCountsQuery } from '../../features/dashboard/navigation-counts.ts';
import classes from './MoreMenu.module.css';
import { NavBadge, type NavItem, NavLink, useIsCurrent } from './NavigationLinksAndBadges.tsx';

interface Props {
  items: readonly NavItem[];
  opened: boolean;
  onClose: () => void;
}

/** The pages that do not fit in the bottom bar. */
export function MoreMenu({ items, opened, onClose }: Props) {
  return (
    <ResponsiveModal title="More" opened={opened} onClose={onClose}>
      <ul>
        {items.map((item) => (
          <li key={item.label} className={classes.item}>
            <MoreLink item={item} onClose={onClose} />
          </li>
        ))}
      </ul>
    </ResponsiveModal>
  );
}

function MoreLink({ item, onClose }: { item: NavItem; onClose: () => void }) {
  const { Icon, label, navigation } = item;
  const { data: counts } = useQuery(navigationCountsQuery);
  const { hint, badge } = navigation;
  const text = typeof hint === 'function' ? counts && hint(counts) : hint;
  const hintId = useId();
  const isCurrent = useIsCurrent();
  return (
    <NavLink
      item={item}
      current={isCurrent(item)}
      className={classes.link}
      // A badge already says what it counts.
      {...(text && !badge && { describedBy: hintId })}
      onClick={onClose}
    >
      <Icon size={22} stroke={1.8} aria-hidden="true" />
      <span className={classes.text}>
        <b>{label}</b>
        {text && (
          <small id={hintId} aria-hidden="true">
            {text}
          </small>
        )}
      </span>
      {badge && <NavBadge badges={[badge]} />}
      <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
    </NavLink>
  );
}
