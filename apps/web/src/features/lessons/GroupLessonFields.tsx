import type { FeeSource } from '@lessonbook/contract/fee-source';
import type { Currency } from '@lessonbook/contract/money';
import type { Rate } from '@lessonbook/contract/rates';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconRotate2, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { formatAmount, initials } from '../../lib/format.ts';
import { parseMinorUnits } from '../../lib/parse-input.ts';
import { ratesQuery } from '../rates/api.ts';
import {
  AddStudentSelect,
  type SeatFieldsProps,
  type StudentOption,
  withStudent,
} from './AddStudentToLesson.tsx';
import { defaultLessonFee, feeByRate } from './default-lesson-fee.ts';
import classes from './GroupLessonFields.module.css';
import { feeSourceLabels } from './lesson-change-format.ts';
import type { LessonFormState, LessonFormValues } from './shared/lesson-form.ts';

interface SeatRowProps {
  name: string;
  /** The school year, or when the student joins or leaves. */
  detail?: string | null | undefined;
  price: ReactNode;
  /** Where the price comes from. */
  reason: string;
  removeLabel?: string;
  onRemove?: () => void;
}

/** A student of a group, with the price, the reason for it and a button to remove the student. */
export function SeatRow({ name, detail, price, reason, removeLabel, onRemove }: SeatRowProps) {
  return (
    <li className={classes.seat}>
      <Avatar initials={initials(name)} />
      <p className={classes.name}>
        <b>{name}</b>
        {detail && <small>{detail}</small>}
      </p>
      <div className={classes.price}>
        {price}
        <small>{reason}</small>
      </div>
      {onRemove && (
        <ActionIcon
          variant="subtle"
          size={40}
          aria-label={removeLabel ?? `Remove ${name}`}
          onClick={onRemove}
        >
          <IconX size={18} stroke={1.8} />
        </ActionIcon>
      )}
    </li>
  );
}

/** '£22.00', or 'Free' if nothing is entered. */
export function formatTypedFee(fee: string, currency: string): string {
  const minor = parseMinorUnits(fee);
  if (minor === null || minor === 0) return 'Free';
  return Number.isNaN(minor) ? fee : formatAmount(minor, currency as Currency, true);
}

/** The students of a new group. With one left, the lesson is one-to-one again. */
export function SeatFields({ form, students, onAdd, isAdding }: SeatFieldsProps) {
  const { values, errors, change } = form;
  const ids = [values.studentId, ...values.otherStudentIds];
  return (
    <fieldset className={classes.seats}>
      <legend>Students</legend>
      <p className={classes.size}>Group of {ids.length}</p>
      <div className={classes.list}>
        <ul>
          {ids.map((id, index) => (
            <NewSeat
              key={id}
              form={form}
              id={id}
              student={students.find((option) => String(option.id) === id)}
              error={errors[`students.${index}.fee`]}
              onRemove={() => {
                change(withoutStudent(values, id));
                // The button no longer exists, so focus moves to the field for adding students.
                form.focus(ids.length > 2 ? 'otherStudentIds' : 'studentId');
              }}
            />
          ))}
        </ul>
        <AddStudentSelect
          students={students}
          chosenIds={ids}
          onSelect={(id) => change(withStudent(form.form.getValues(), id))}
          onAdd={onAdd}
          isAdding={isAdding}
          error={errors['students']}
        />
        <p className={classes.hint}>Each family sees only its own child.</p>
      </div>
    </fieldset>
  );
}

/** Moves focus to the field, which replaces the button that had focus. */
const focusOnMount = (input: HTMLInputElement | null) => input?.focus();

interface NewSeatProps {
  form: LessonFormState;
  id: string;
  student: StudentOption | undefined;
  error: ReactNode;
  onRemove: () => void;
}

/** The price of a place or the student's rate, which can be replaced by an individual price. */
function NewSeat({ form, id, student, error, onRemove }: NewSeatProps) {
  const { currency, ownFees } = form.values;
  const { data: rates = [] } = useQuery(ratesQuery);
  const { fee, source } = defaultPrice(form.values, rates, id);
  const name = student?.name ?? '';
  const ownFee = ownFees[id];
  const setOwnFee = (price: string) => form.change({ ownFees: { ...ownFees, [id]: price } });
  const { [id]: _, ...others } = ownFees;
  return (
    <SeatRow
      name={name}
      detail={student?.schoolYear}
      reason={
        ownFee === undefined
          ? feeSourceLabels[source]
          : ownFee.trim()
            ? 'Individual price'
            : 'Individual price: free'
      }
      onRemove={onRemove}
      price={
        ownFee === undefined ? (
          <Button
            variant="transparent"
            size="compact-md"
            px={0}
            aria-label={`Change the price for ${name}: ${formatTypedFee(fee, currency)}`}
            onClick={() => setOwnFee(fee)}
          >
            {formatTypedFee(fee, currency)}
          </Button>
        ) : (
          <span className={classes.ownFee}>
            <TextInput
              aria-label={`Individual price for ${name}`}
              inputMode="decimal"
              autoComplete="off"
              ref={focusOnMount}
              value={ownFee}
              onChange={(event) => setOwnFee(event.currentTarget.value)}
              error={error}
            />
            <ActionIcon
              variant="subtle"
              size={40}
              aria-label={`Use the ${source === 'lesson' ? 'price per place' : 'usual price'} for ${name}`}
              onClick={() => form.change({ ownFees: others })}
            >
              <IconRotate2 size={17} stroke={1.8} />
            </ActionIcon>
          </span>
        )
      }
    />
  );
}

/** What a student of a new group pays unless an individual price is entered. */
function defaultPrice(
  form: LessonFormValues,
  rates: readonly Rate[],
  studentId: string,
): { fee: string; source: FeeSource } {
  if (!defaultLessonFee(form, rates)) return { fee: form.fee, source: 'lesson' };
  const rateFee = feeByRate(form, rates, studentId);
  return rateFee ? { fee: rateFee.fee, source: 'rate' } : { fee: form.fee, source: 'subject' };
}

type Students = Pick<LessonFormValues, 'studentId' | 'otherStudentIds' | 'ownFees'>;

/** If the first student is removed, the next one becomes the first. */
export function withoutStudent(
  { studentId, otherStudentIds, ownFees }: Students,
  id: string,
): Students {
  const [first = '', ...others] = [studentId, ...otherStudentIds].filter((each) => each !== id);
  const { [id]: _, ...remaining } = ownFees;
  // A one-to-one lesson has a fee and no individual prices.
  return { studentId: first, otherStudentIds: others, ownFees: others.length > 0 ? remaining : {} };
}

/** Name, minimum and maximum of a group. */
export function GroupFields({ form }: { form: LessonFormState }) {
  const { values, errors, change } = form;
  const size = (name: 'minStudents' | 'maxStudents', label: string) => (
    <TextInput
      label={label}
      placeholder="Any"
      inputMode="numeric"
      autoComplete="off"
      value={values[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      error={errors[name]}
      data-path={name}
    />
  );
  return (
    <div className={classes.group}>
      <TextInput
        label="Group name"
        placeholder="E.g. Year 11 maths"
        withAsterisk
        value={values.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
        error={errors['title']}
        data-path="title"
      />
      {size('minStudents', 'Minimum')}
      {size('maxStudents', 'Maximum')}
    </div>
  );
}
