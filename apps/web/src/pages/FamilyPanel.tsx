import { ActionIcon } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Avatar } from '../components/Avatar.tsx';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { familyQuery } from '../features/payments/api.ts';
import { FamilyChildren, MessageLink } from '../features/payments/FamilyChildrenAndContact.tsx';
import { FamilyMenu } from '../features/payments/FamilyMenu.tsx';
import { initials } from '../lib/format.ts';
import classes from './Families.module.css';
import { FamilyBalanceAndActions, FamilyNotices, FamilyTabs } from './FamilyAccountSections.tsx';

/** The account of the selected family, beside the list. */
export function FamilyPanel({ familyId }: { familyId: number }) {
  const { today } = useTutor();
  const query = useQuery(familyQuery(familyId));
  const family = query.data;
  if (!family) {
    return (
      <Card>
        {query.isError ? (
          <LoadError onRetry={() => void query.refetch()}>
            We couldn't load this family's account.
          </LoadError>
        ) : (
          <RowSkeleton rows={5} />
        )}
      </Card>
    );
  }
  return (
    <div className={classes.stack}>
      <FamilyNotices family={family} today={today} />
      <Card>
        <div className={classes.panelHeader}>
          <Avatar initials={initials(family.name)} />
          <div className={classes.panelTitle}>
            <h2>
              <Link to="/families/$id" params={{ id: String(family.id) }}>
                {family.name}
              </Link>
            </h2>
            <p>
              <FamilyChildren family={family} />
            </p>
          </div>
          <MessageLink family={family} />
          <ActionIcon
            variant="default"
            size={44}
            radius="md"
            aria-label={`Open ${family.name}'s page`}
            renderRoot={(props) => (
              <Link to="/families/$id" params={{ id: String(family.id) }} {...props} />
            )}
          >
            <IconArrowsMaximize size={18} stroke={1.8} />
          </ActionIcon>
          <FamilyMenu family={family} today={today} />
        </div>
        <FamilyBalanceAndActions family={family} today={today} />
        <FamilyTabs family={family} today={today} />
      </Card>
    </div>
  );
}
