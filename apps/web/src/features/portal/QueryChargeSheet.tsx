import type {
  PortalCharge,
  PortalChargeQuery,
} from '@lessonbook/contract/portal-charges-and-invoices';
import {
  type ChargeQueryInput,
  portalChargeQueries,
} from '@lessonbook/contract/questions-about-charges';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { PlainTextArea } from '../../components/PlainTextArea.tsx';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { formatAmount, formatShortDate } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { BottomSheet } from './BottomSheet.tsx';
import sheetClasses from './CancelSheet.module.css';
import classes from './PortalBalances.module.css';
import { portalMoneyKey } from './signed-in-contact-api.ts';
import { useRequestIdempotencyKey } from './use-request-idempotency-key.ts';

const QUERY_ERRORS = {
  errorTitle: 'Not sent',
  errorFallback: "We couldn't send your question. Please try again.",
};

const NOTHING_TO_DISCARD = { onDiscard: () => undefined, waitForSave: () => Promise.resolve() };

/** The server's limit. */
const MAX_MESSAGE_LENGTH = 1000;

interface Props {
  publicId: string;
  accountId: number;
  tutorName: string;
  today: string;
  /** The charges of one row, from which one is chosen. */
  charges: readonly PortalCharge[];
  /** Questions that were typed and not sent, by charge. */
  drafts: Map<number, string>;
  onClose: () => void;
}

/** Asks the tutor about one charge. */
export function QueryChargeSheet(props: Props) {
  const { publicId, accountId, tutorName, today, charges, drafts, onClose } = props;
  const dialogRef = useRef<HTMLDialogElement>(null);
  const name = useId();
  const client = useQueryClient();
  const keyFor = useRequestIdempotencyKey();
  const [chargeId, setChargeId] = useState(charges[0]?.id ?? 0);
  const [message, setMessage] = useState(drafts.get(chargeId) ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  useUnsavedChanges(message !== '', NOTHING_TO_DISCARD);
  const ask = useMutation({
    mutationFn: (body: ChargeQueryInput) =>
      callApi(portalChargeQueries.queryCharge, {
        params: { publicId, accountId },
        body,
        idempotencyKey: keyFor(body),
      }),
    meta: { ...QUERY_ERRORS, isErrorShownInline: () => dialogRef.current !== null },
    onSettled: () => client.invalidateQueries({ queryKey: portalMoneyKey(publicId) }),
    onSuccess: () =>
      void toastSuccess(`Sent. You don't need to pay it until ${tutorName} has answered.`),
  });

  function changeMessage(text: string) {
    for (const { id } of charges) drafts.set(id, text);
    setMessage(text);
  }

  function submit() {
    const question = message.trim();
    if (question === '') return setProblem('Please write your question.');
    setProblem(null);
    return ask.mutate(
      { chargeId, message: question },
      {
        onSuccess: () => {
          for (const { id } of charges) drafts.delete(id);
          onClose();
        },
        onError: (error) => setProblem(getErrorMessage(error, QUERY_ERRORS)),
      },
    );
  }

  return (
    <BottomSheet
      ref={dialogRef}
      title="Query a charge"
      canDismiss={!ask.isPending && message === ''}
      canClose={!ask.isPending}
      onClose={onClose}
      actions={
        <>
          {problem && (
            <p role="alert" className={sheetClasses.problem}>
              {problem}
            </p>
          )}
          <PublicButton secondary disabled={ask.isPending} onClick={onClose}>
            Go back
          </PublicButton>
          <PublicButton disabled={ask.isPending} onClick={submit}>
            {ask.isPending ? 'Sending...' : 'Send question'}
          </PublicButton>
        </>
      }
    >
      <fieldset className={classes.choices}>
        <legend>Which charge?</legend>
        {charges.map((charge) => (
          <label key={charge.id}>
            <input
              type="radio"
              name={name}
              checked={charge.id === chargeId}
              onChange={() => setChargeId(charge.id)}
            />
            <span>{formatCharge(charge, today)}</span>
            <b>{formatAmount(charge.outstanding, charge.currency, true)}</b>
          </label>
        ))}
      </fieldset>
      <PlainTextArea
        label={`Your question to ${tutorName}`}
        maxLength={MAX_MESSAGE_LENGTH}
        value={message}
        onChange={changeMessage}
      />
      <p className={classes.small}>
        You don't need to pay this charge until {tutorName} has answered. Everything else stays as
        it is.
      </p>
    </BottomSheet>
  );
}

/** 'Maya, Maths lesson, Tue 3 Nov' */
export const formatCharge = (
  { studentName, description, date }: Pick<PortalCharge, 'studentName' | 'description' | 'date'>,
  today: string,
): string => [studentName, description, formatShortDate(date, today)].filter(Boolean).join(', ');

interface QueryProps {
  query: PortalChargeQuery;
  publicId: string;
  accountId: number;
  tutorName: string;
  today: string;
}

/** A question that is waiting for an answer or has been answered. */
export function PortalQuery({ query, publicId, accountId, tutorName, today }: QueryProps) {
  const client = useQueryClient();
  const { id, status, isOwed, isOwn, message, answer } = query;
  const withdraw = useMutation({
    mutationFn: () =>
      callApi(portalChargeQueries.withdrawChargeQuery, { params: { publicId, accountId, id } }),
    meta: { errorFallback: "We couldn't withdraw your question. Please try again." },
    onSettled: () => client.invalidateQueries({ queryKey: portalMoneyKey(publicId) }),
    onSuccess: () => void toastSuccess('Question withdrawn.'),
  });
  return (
    <li className={classes.query}>
      <p>
        <b>{formatCharge(query, today)}</b>
        <small>
          {status === 'open'
            ? `${isOwn ? 'You have asked about this' : 'Someone in your family has asked about this'}. You don't need to pay it until ${tutorName} has answered.`
            : isOwed
              ? `${tutorName} has answered: the charge is correct.`
              : `${tutorName} has answered: you don't need to pay it.`}
        </small>
      </p>
      {message && <blockquote>{message}</blockquote>}
      {answer && <p className={classes.answer}>{answer}</p>}
      {status === 'open' && isOwn && (
        <button type="button" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {withdraw.isPending ? 'Withdrawing...' : 'Withdraw question'}
        </button>
      )}
    </li>
  );
}
