import { useQuery } from '@tanstack/react-query';
import { useCanGoBack, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { paymentFormDataQuery } from '../features/payments/api.ts';
import { UnpaidLessonCharges } from '../features/payments/UnpaidLessonCharges.tsx';
import { isNotFound } from '../lib/http.ts';

/** Lazy, because the form loads a calendar and the charges above it can be shown first. */
const PaymentFormCard = lazy(async () => ({
  default: (await import('../features/payments/RecordPaymentDialog.tsx')).PaymentFormCard,
}));

const ReminderForm = lazy(async () => ({
  default: (await import('../features/messages/SendInvoiceReceiptAndReminderForms.tsx'))
    .PaymentReminderForm,
}));

export function PaymentCreatePage() {
  const { lessonId } = useParams({ from: '/tutor/payments/create/$lessonId' });
  const { session } = useSearch({ from: '/tutor/payments/create/$lessonId' });
  const formQuery = useQuery(
    paymentFormDataQuery({ lessonId: Number(lessonId), ...(session && { sessionId: session }) }),
  );
  const goBack = useGoBack();
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/' }, label: 'Back to home' }} />
      {formQuery.data ? (
        <>
          <UnpaidLessonCharges formData={formQuery.data} lessonId={Number(lessonId)} />
          <Suspense fallback={<Spinner />}>
            <PaymentFormCard
              formData={formQuery.data}
              onSaved={() => goBack(formQuery.data.familyId)}
            />
            {formQuery.data.balances.some(({ owed }) => owed > 0) && (
              <Card heading="Send reminder">
                <ReminderForm familyId={formQuery.data.familyId} />
              </Card>
            )}
          </Suspense>
        </>
      ) : (
        <Card>
          {formQuery.isPending && <RowSkeleton rows={4} />}
          {formQuery.isError && isNotFound(formQuery.error) && <NotFound />}
          {formQuery.isError && !isNotFound(formQuery.error) && (
            <LoadError onRetry={() => void formQuery.refetch()}>
              We couldn't load what's owed.
            </LoadError>
          )}
        </Card>
      )}
    </NarrowContainer>
  );
}

/** Goes back to the previous page, or to the account if this page was opened directly. */
function useGoBack() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  return (familyId: number) => {
    if (canGoBack) router.history.back();
    else void navigate({ to: '/families/$id', params: { id: String(familyId) } });
  };
}

function NotFound() {
  return (
    <EmptyState
      illustration={<Illustration name="pay" size={112} />}
      action={
        <ButtonLink to="/" variant="light">
          Back to home
        </ButtonLink>
      }
    >
      Lesson not found
    </EmptyState>
  );
}
