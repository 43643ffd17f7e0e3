import { useNavigate, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { EveryonePeriod } from '../features/invoices/EveryonePeriod.tsx';
import { EveryoneResult } from '../features/invoices/EveryoneResult.tsx';
import { EveryoneReview } from '../features/invoices/EveryoneReview.tsx';
import { idsText, readIds } from '../features/invoices/everyone.ts';

/** Period, review, result. The step stands in the address, so that back and reload keep to it. */
export function InvoiceEveryonePage() {
  const { today } = useTutor();
  const { drafts, issued } = useSearch({ from: '/frame/tutor/invoices/everyone' });
  const navigate = useNavigate();
  return (
    <Column>
      <PageHeader
        title="Invoice everyone"
        back={{ link: { to: '/invoices' }, label: 'Back to invoices' }}
      />
      {issued ? (
        <>
          <EveryoneResult ids={readIds(issued)} />
          <ButtonLink to="/invoices" variant="light">
            Go to invoices
          </ButtonLink>
        </>
      ) : drafts ? (
        <EveryoneReview
          ids={readIds(drafts)}
          today={today}
          onIssued={(ids) =>
            void navigate({
              to: '/invoices/everyone',
              search: { issued: idsText(ids) },
              // What was issued cannot be reviewed again.
              replace: true,
            })
          }
        />
      ) : (
        <EveryonePeriod
          today={today}
          onReview={(ids) =>
            void navigate({ to: '/invoices/everyone', search: { drafts: idsText(ids) } })
          }
        />
      )}
    </Column>
  );
}
