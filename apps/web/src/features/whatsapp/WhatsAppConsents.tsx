import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { formatShortDate } from '../../lib/format.ts';
import { type DateContext, toLocalDate } from '../../lib/format-timestamp.ts';
import { consentsQuery, useWithdrawConsent } from './api.ts';
import classes from './WhatsAppConsents.module.css';

/** Consents with their date and exact wording, each with a button to withdraw it. */
export function WhatsAppConsents({ dateContext }: { dateContext: DateContext }) {
  const consents = useQuery(consentsQuery);
  const withdraw = useWithdrawConsent();
  return (
    <Card heading="Automatic WhatsApp reminders">
      {consents.isPending && <RowSkeleton rows={2} />}
      {consents.isError && !consents.data && (
        <LoadError onRetry={() => void consents.refetch()}>
          We couldn't load who has agreed.
        </LoadError>
      )}
      {consents.data?.length === 0 && (
        <p className={classes.muted}>
          No one has agreed yet. When someone does, record it on a message to them in Messages.
        </p>
      )}
      <ul>
        {consents.data?.map(({ address, name, wording, at }) => (
          <li key={address} className={classes.row}>
            <p>
              <b>{name}</b> <small>{address}</small>
              <small className={classes.wording}>
                {formatShortDate(toLocalDate(at, dateContext), dateContext.today)}: {wording}
              </small>
            </p>
            <Button
              variant="default"
              disabled={withdraw.isPending}
              aria-label={`Withdraw, ${name}`}
              onClick={() => withdraw.mutate({ address })}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
