import { formatMoney } from '@lessonbook/contract/money';
import {
  type KeptReason,
  PriceRiseInput,
  type PriceRisePreview,
  type RiseKind,
  type Rounding,
  USUAL_NOTICE_DAYS,
} from '@lessonbook/contract/price-rises';
import { RATE_UNIT_LABELS } from '@lessonbook/contract/rates';
import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { DateField } from '../../components/DateField.tsx';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { parseAmount } from '../../lib/parse-input.ts';
import { useForm } from '../../lib/use-form.ts';
import { studentsQuery } from '../students/api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import { usePreviewPriceRise, useSavePriceRise } from './api.ts';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import classes from './PriceRiseForm.module.css';

interface RiseFormValues {
  subjectIds: string[];
  studentIds: string[];
  kind: RiseKind;
  value: string;
  rounding: Rounding;
  from: string;
}

const toInput = (values: RiseFormValues) =>
  ({
    ...values,
    subjectIds: values.subjectIds.map(Number),
    studentIds: values.studentIds.map(Number),
    value: parseAmount(values.value) ?? undefined,
  }) as PriceRiseInput;

const RiseFormSchema = z.pipe(
  z.transform<RiseFormValues, z.input<typeof PriceRiseInput>>(toInput),
  PriceRiseInput,
);

const KIND_OPTIONS = [
  { value: 'percent', label: 'Percentage' },
  { value: 'amount', label: 'Fixed amount' },
];
const ROUNDING_OPTIONS = [
  { value: 'none', label: "Don't round" },
  { value: 'half', label: 'To the nearest 0.50' },
  { value: 'whole', label: 'To the nearest whole amount' },
];

interface Props {
  today: string;
  defaultFrom: string;
}

/** Raises prices from a chosen date. Nothing is saved or sent before the tutor has seen the preview. */
export function PriceRiseForm({ today, defaultFrom }: Props) {
  const navigate = useNavigate();
  const students = useQuery(studentsQuery);
  const subjects = useQuery(subjectsQuery);
  const preview = usePreviewPriceRise();
  const save = useSavePriceRise();
  const [shown, setShown] = useState<PriceRisePreview | null>(null);
  const { values, errors, change, onSubmit, keyFor } = useForm<RiseFormValues>({
    schema: RiseFormSchema,
    mode: 'controlled',
    confirmsDiscard: false,
    initialValues: {
      subjectIds: [],
      studentIds: [],
      kind: 'percent',
      value: '',
      rounding: 'half',
      from: defaultFrom,
    },
  });
  const toOptions = (list: readonly { id: number; name: string }[] = []) =>
    list.map(({ id, name }) => ({ value: String(id), label: name }));

  function update(fields: Partial<RiseFormValues>) {
    setShown(null);
    change(fields);
  }

  function confirm({ fingerprint }: PriceRisePreview) {
    const body = { ...toInput(values), fingerprint };
    save.mutate(
      { body, idempotencyKey: keyFor(body) },
      {
        onSuccess: ({ messages }) =>
          void navigate({ to: messages > 0 ? '/messages' : '/settings/rates' }),
        // The preview may be outdated.
        onError: () => setShown(null),
      },
    );
  }

  return (
    <>
      <Card>
        <form
          noValidate
          className={classes.form}
          onSubmit={onSubmit((fields) => preview.mutateAsync(toInput(fields)), setShown)}
        >
          <FieldPair>
            <MultiSelect
              label="Subjects"
              size="md"
              placeholder={values.subjectIds.length === 0 ? 'All subjects' : ''}
              data={toOptions(subjects.data)}
              value={values.subjectIds}
              onChange={(subjectIds) => update({ subjectIds })}
            />
            <MultiSelect
              label="Students"
              size="md"
              placeholder={values.studentIds.length === 0 ? 'All students' : ''}
              searchable
              data={toOptions(students.data)}
              value={values.studentIds}
              onChange={(studentIds) => update({ studentIds })}
            />
          </FieldPair>
          <FieldPair>
            <TextInput
              label="Raise by"
              inputMode="decimal"
              autoComplete="off"
              value={values.value}
              onChange={(event) => update({ value: event.currentTarget.value })}
              error={errors.value}
              data-path="value"
            />
            <Select
              label="Type"
              data={KIND_OPTIONS}
              allowDeselect={false}
              value={values.kind}
              onChange={(kind) => update({ kind: kind as RiseKind })}
            />
          </FieldPair>
          <FieldPair>
            <Select
              label="Rounding"
              data={ROUNDING_OPTIONS}
              allowDeselect={false}
              value={values.rounding}
              onChange={(rounding) => update({ rounding: rounding as Rounding })}
            />
            <DateField
              label="From"
              placeholder="Pick a date"
              today={today}
              earliest={today}
              value={values.from}
              onChange={(from) => update({ from })}
              required
              error={errors.from}
              path="from"
            />
          </FieldPair>
          <Button type="submit" variant={shown ? 'default' : 'filled'} loading={preview.isPending}>
            Show new prices
          </Button>
        </form>
      </Card>
      {shown && (
        <Preview preview={shown} isSaving={save.isPending} onConfirm={() => confirm(shown)} />
      )}
    </>
  );
}

const KEPT_TEXTS: Record<KeptReason, string> = {
  own_fee: 'with a fee you entered',
  invoiced: 'already invoiced',
  later_rate: 'covered by a later rate',
  same_price: 'no difference after rounding',
};

/** "5 days'", "1 day's" or 'no', followed by 'notice'. */
const formatNotice = (days: number): string =>
  days === 0 ? 'no' : days === 1 ? "1 day's" : `${days} days'`;

const countLessons = (count: number): string => (count === 1 ? '1 lesson' : `${count} lessons`);

interface PreviewProps {
  preview: PriceRisePreview;
  isSaving: boolean;
  onConfirm: () => void;
}

function Preview({ preview, isSaving, onConfirm }: PreviewProps) {
  const { families, kept, noticeDays } = preview;
  return (
    <Card heading="New prices">
      <div className={classes.preview}>
        {families.length === 0 && <p>No prices would change.</p>}
        {noticeDays < USUAL_NOTICE_DAYS && families.length > 0 && (
          <p>
            This gives families {formatNotice(noticeDays)} notice. At least {USUAL_NOTICE_DAYS} days
            is usual.
          </p>
        )}
        <ul className={classes.families}>
          {families.map(({ familyId, toName, prices, problem, text }) => (
            <li key={familyId}>
              <b>{toName}</b>
              {prices.map((price) => (
                <span key={`${price.studentId} ${price.subjectId}`}>
                  {price.studentName}, {price.subjectName}:{' '}
                  {formatMoney(price.oldAmount, price.currency, 'en-GB')} →{' '}
                  {formatMoney(price.newAmount, price.currency, 'en-GB')}{' '}
                  {RATE_UNIT_LABELS[price.unit]} · {countLessons(price.lessons)}
                </span>
              ))}
              {problem ? (
                <small>No message: {problem}</small>
              ) : (
                <details>
                  <summary>Message to {toName}</summary>
                  <p className={classes.text}>{text}</p>
                </details>
              )}
            </li>
          ))}
        </ul>
        {kept.length > 0 && (
          <p>
            Unchanged:{' '}
            {kept
              .map(({ reason, lessons }) => `${countLessons(lessons)} (${KEPT_TEXTS[reason]})`)
              .join(', ')}
          </p>
        )}
        {families.length > 0 && (
          <>
            <p>
              A draft for each family who can be contacted will be saved in Messages for you to
              check and send.
            </p>
            <Button loading={isSaving} onClick={onConfirm}>
              Save new prices
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}
