import { CURRENCIES } from '@lessonbook/contract/money';
import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FieldPair } from '../../components/FieldLayout.tsx';
import { ratesQuery } from '../rates/api.ts';
import { subjectsQuery } from '../subjects/api.ts';
import { defaultLessonFee, findFeeAlternative } from './default-lesson-fee.ts';
import classes from './LessonFields.module.css';
import type { LessonFormState } from './shared/lesson-form.ts';

interface Props {
  form: LessonFormState;
  isNew: boolean;
  isGroup: boolean;
}

/** The fee, and where it comes from if none was entered. An entered fee can be replaced by the student's rate. */
export function LessonFeeFields({ form, isNew, isGroup }: Props) {
  const { values, errors, change } = form;
  const rates = useQuery(ratesQuery);
  const subjects = useQuery(subjectsQuery);
  const automatic =
    rates.data && (isNew || values.usesRates) ? defaultLessonFee(values, rates.data) : null;
  const subject = subjects.data?.find(({ id }) => String(id) === values.subjectId);
  // The students of a saved group are charged in one currency, which cannot change.
  const canUseRates = isNew || !isGroup || subject?.currency === values.currency;
  const alternative =
    rates.data && subject && !automatic && canUseRates
      ? findFeeAlternative(values, rates.data, subject)
      : null;
  return (
    <div className={classes.fee}>
      <FieldPair alwaysSideBySide>
        <TextInput
          label={isGroup ? 'Price per place' : 'Fee'}
          placeholder="30"
          inputMode="decimal"
          autoComplete="off"
          description={
            automatic?.source ??
            (values.fee.trim() === '' && values.subjectId ? 'Free lesson' : undefined)
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={automatic?.fee ?? values.fee}
          onChange={(event) => change({ fee: event.currentTarget.value, isFeeTyped: true })}
          error={errors.fee}
          data-path="fee"
        />
        <Select
          label="Currency"
          data={[...CURRENCIES]}
          value={values.currency}
          onChange={(currency) => change({ currency: currency ?? 'GBP', isFeeTyped: true })}
          error={errors.currency}
          data-path="currency"
        />
      </FieldPair>
      {alternative && (
        <Button
          variant="subtle"
          justify="flex-start"
          onClick={() => {
            change(alternative.fields);
            // The button no longer exists, so focus moves to the fee.
            form.focus('fee');
          }}
        >
          {alternative.label}
        </Button>
      )}
    </div>
  );
}
