import { CURRENCIES } from '@lessonbook/contract/money';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FieldPair } from '../../components/Form.tsx';
import { ratesQuery } from '../rates/api.ts';
import { automaticFee } from './automatic-fee.ts';
import type { LessonFormState } from './shared/lesson-form.ts';

interface Props {
  form: LessonFormState;
  isNew: boolean;
  isGroup: boolean;
}

/** The fee, and where it comes from if none was entered. */
export function FeeFields({ form, isNew, isGroup }: Props) {
  const { values, errors, change } = form;
  const rates = useQuery(ratesQuery);
  const automatic =
    rates.data && (isNew || values.usesRates) ? automaticFee(values, rates.data) : null;
  return (
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
  );
}
