import type { EndpointInput } from '@lessonbook/contract/endpoint';
import {
  type ChargeQuery,
  ChargeQueryAnswer,
  chargeQueries,
} from '@lessonbook/contract/questions-about-charges';
import { Button, Textarea } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Dialog, DialogForm } from '../../components/FormDialog.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { firstName, formatAmount, formatShortDate } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useForm } from '../../lib/use-form.ts';
import classes from './ChargeQueriesToAnswer.module.css';

const chargeQueriesQuery = (familyId: number) =>
  queryOptions({
    queryKey: ['/api/families', familyId, 'queries'],
    queryFn: () => callApi(chargeQueries.listChargeQueries, { params: { id: familyId } }),
  });

type AnswerRequest = EndpointInput<typeof chargeQueries.answerChargeQuery> & {
  idempotencyKey: string;
};

const useAnswerChargeQuery = () =>
  useMutation({
    mutationFn: (input: AnswerRequest) => callApi(chargeQueries.answerChargeQuery, input),
    meta: { errorFallback: "We couldn't send your answer. Please try again." },
    onSuccess: (_, { body }) =>
      toastSuccess(
        body.isOwed
          ? 'Answer sent. The charge has been kept.'
          : 'Answer sent. The charge has been removed.',
      ),
  });

interface Props {
  familyId: number;
  today: string;
}

/** The family's unanswered questions about charges. */
export function ChargeQueriesToAnswer({ familyId, today }: Props) {
  const { data: queries = [] } = useQuery(chargeQueriesQuery(familyId));
  const [openQuery, setOpenQuery] = useState<ChargeQuery | null>(null);
  return (
    <>
      {queries.map((query) => (
        <Card key={query.id}>
          <section aria-label="Question about a charge" className={classes.query}>
            <p className={classes.title}>
              <IconMessageQuestion size={20} stroke={1.8} aria-hidden="true" />
              {query.contactName} has asked about {describeCharge(query, today)}.
            </p>
            <blockquote className={classes.message}>{query.message}</blockquote>
            <p className={classes.hint}>{describeHold(query)}</p>
            <Button variant="light" onClick={() => setOpenQuery(query)}>
              Answer
            </Button>
          </section>
        </Card>
      ))}
      <ChargeQueryDialog query={openQuery} today={today} onClose={() => setOpenQuery(null)} />
    </>
  );
}

const describeHold = ({ outstanding, currency }: ChargeQuery): string =>
  outstanding > 0
    ? `Reminders won't include this ${formatAmount(outstanding, currency, true)} until you answer.`
    : 'This charge has since been paid or removed.';

/** "Maya's Maths lesson on Tue 3 Nov (invoice 12)" */
function describeCharge(query: ChargeQuery, today: string): string {
  const { studentName, description, date, invoiceNumber } = query;
  const owner = studentName ? `${firstName(studentName)}'s ` : '';
  const invoice = invoiceNumber ? ` (invoice ${invoiceNumber})` : '';
  return `${owner}${description} on ${formatShortDate(date, today)}${invoice}`;
}

interface DialogProps {
  query: ChargeQuery | null;
  today: string;
  onClose: () => void;
}

export function ChargeQueryDialog({ query, today, onClose }: DialogProps) {
  return (
    <Dialog title="Answer the question" opened={query !== null} onClose={onClose}>
      {query && <AnswerForm {...{ query, today, onClose }} />}
    </Dialog>
  );
}

interface AnswerValues {
  isOwed: boolean;
  answer: string;
}

function AnswerForm({ query, today, onClose }: DialogProps & { query: ChargeQuery }) {
  const send = useAnswerChargeQuery();
  const form = useForm<AnswerValues>({
    schema: ChargeQueryAnswer,
    initialValues: { isOwed: true, answer: '' },
    mode: 'controlled',
  });
  const { values, errors, change } = form;
  const { outstanding, currency, invoiceNumber } = query;
  const name = firstName(query.contactName);
  const save = form.onSubmit((submitted) => {
    const body = { isOwed: submitted.isOwed, answer: submitted.answer.trim() || null };
    const params = { id: query.id };
    return send.mutateAsync({ params, body, idempotencyKey: form.keyFor({ params, body }) });
  }, onClose);
  const amount = formatAmount(outstanding, currency, true);
  return (
    <DialogForm
      onSubmit={save}
      onCancel={onClose}
      cancelLabel="Go back"
      submitLabel="Send answer"
      isBusy={send.isPending}
    >
      <p className={classes.hint}>{describeCharge(query, today)}</p>
      <blockquote className={classes.message}>{query.message}</blockquote>
      {outstanding > 0 && (
        <RadioList
          legend="The charge"
          options={[
            {
              value: 'owed',
              label: 'Keep the charge',
              hint: `Reminders will include this ${amount} again`,
            },
            {
              value: 'removed',
              label: `Remove ${amount}`,
              hint: invoiceNumber
                ? `A credit note for invoice ${invoiceNumber} will be created`
                : 'It will no longer be owed',
            },
          ]}
          chosen={values.isOwed ? 'owed' : 'removed'}
          onChoose={(chosen) => change({ isOwed: chosen === 'owed' })}
        />
      )}
      <Textarea
        label={`Message to ${name} (optional)`}
        rows={3}
        maxLength={1000}
        value={values.answer}
        onChange={(event) => change({ answer: event.currentTarget.value })}
        error={errors.answer}
      />
    </DialogForm>
  );
}
