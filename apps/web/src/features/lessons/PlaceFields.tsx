import { GOOGLE_MEET, isOnlinePlace } from '@lessonbook/contract/detect-online-place';
import { toMajor } from '@lessonbook/contract/money';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { formatAmountInput } from '../../lib/parse-input.ts';
import { studentsQuery } from '../students/api.ts';
import type { LessonFormState } from './shared/lesson-form.ts';

/** Loaded lazily, because it imports the calendar contract. */
const GoogleMeetField = lazy(async () => ({
  default: (await import('./GoogleMeetField.tsx')).GoogleMeetField,
}));

interface Props {
  form: LessonFormState;
  isGroup: boolean;
}

/** The place or Google Meet, and the fee for travelling there. */
export function PlaceFields({ form, isGroup }: Props) {
  const { values, errors, change } = form;
  const { usesGoogleMeet } = values;
  useDefaultTravelFee(form);
  return (
    <>
      <TextInput
        label="Location"
        placeholder="Address or meeting link"
        value={usesGoogleMeet ? GOOGLE_MEET : values.place}
        disabled={usesGoogleMeet}
        onChange={(event) => change({ place: event.currentTarget.value })}
        error={errors.place}
        data-path="place"
      />
      <Suspense fallback={null}>
        <GoogleMeetField
          checked={usesGoogleMeet}
          onChange={(checked) => change({ usesGoogleMeet: checked })}
        />
      </Suspense>
      <TravelFeeField form={form} isGroup={isGroup} />
    </>
  );
}

/** Shown once a place is entered or if there is a fee already, but not for an online lesson, which has no travel fee. */
function TravelFeeField({ form, isGroup }: Props) {
  const { values, errors, change } = form;
  const { place, usesGoogleMeet, travelFee } = values;
  const isOnline = usesGoogleMeet || isOnlinePlace(place);
  const isInPerson = (place.trim() !== '' || travelFee !== '') && !isOnline;
  if (!isInPerson && !errors.travelFee) return null;
  return (
    <TextInput
      label="Travel fee"
      placeholder="None"
      description={
        isGroup
          ? 'Added once for each family when you complete the lesson'
          : 'Added when you complete the lesson'
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="decimal"
      autoComplete="off"
      value={travelFee}
      onChange={(event) => change({ travelFee: event.currentTarget.value, isTravelFeeTyped: true })}
      error={errors.travelFee}
      data-path="travelFee"
    />
  );
}

/**
 * Fills in the largest of the students' travel fees: siblings taught together pay once. Only for a new lesson, because the
 * fee of a saved one counts as typed.
 */
function useDefaultTravelFee(form: LessonFormState): void {
  const { studentId, otherStudentIds } = form.values;
  const { data: students = [] } = useQuery(studentsQuery);
  const fees = students
    .filter(({ id }) => [studentId, ...otherStudentIds].includes(String(id)))
    .map(({ travelFee }) => travelFee ?? 0);
  const suggested = formatAmountInput(toMajor(Math.max(0, ...fees)) || null);
  const fill = useEffectEvent((travelFee: string) => {
    if (!form.values.isTravelFeeTyped) form.fillIn({ travelFee });
  });
  useEffect(() => fill(suggested), [suggested]);
}
