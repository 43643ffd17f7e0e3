import type { FamilyDetails } from '@lessonbook/contract/families';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { BackButton } from '../components/BackButton.tsx';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { RecordNotFound } from '../components/RecordNotFound.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { familyQuery } from '../features/payments/api.ts';
import { FamilyContact } from '../features/payments/FamilyChildrenAndContact.tsx';
import { FamilyMenu } from '../features/payments/FamilyMenu.tsx';
import { isNotFound } from '../lib/http.ts';
import classes from './Families.module.css';
import { FamilyBalanceAndActions, FamilyNotices, FamilyTabs } from './FamilyAccountSections.tsx';

const back = { link: { to: '/families' }, label: 'Back to families' } as const;

export function FamilyPage() {
  const { id } = useParams({ from: '/tutor/families/$id' });
  const family = useQuery(familyQuery(Number(id)));
  if (family.data) return <Account key={family.data.id} family={family.data} />;
  return (
    <>
      <PageHeader back={back} />
      <Card>
        {family.isPending && <RowSkeleton rows={5} />}
        {family.isError && isNotFound(family.error) && (
          <RecordNotFound list="families">Family not found</RecordNotFound>
        )}
        {family.isError && !isNotFound(family.error) && (
          <LoadError onRetry={() => void family.refetch()}>
            We couldn't load this family's account.
          </LoadError>
        )}
      </Card>
    </>
  );
}

/** Shows the same content, in the same order, as the panel beside the list. Uses two columns on desktop. */
function Account({ family }: { family: FamilyDetails }) {
  const { today } = useTutor();
  return (
    <>
      <div className={classes.pageHeader}>
        <BackButton parent={back} />
        <PageHeader title={family.name} action={<FamilyMenu family={family} today={today} />} />
      </div>
      <div className={classes.account}>
        <div className={classes.stack}>
          <FamilyNotices family={family} today={today} />
          <Card>
            <FamilyContact family={family} />
            <FamilyBalanceAndActions family={family} today={today} />
          </Card>
        </div>
        <Card>
          <FamilyTabs family={family} today={today} />
        </Card>
      </div>
    </>
  );
}
