import { useEffect, useEffectEvent, useRef } from 'react';
import type { FormState } from './use-form.ts';

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Fields that the person has not changed follow the saved data, so that a form opened a moment before a refetch does not
 * save the old data again. Not part of `useForm`, because the public pages do not need it.
 */
export function useRefreshUnchangedFields<V extends object>(
  { form, fillIn }: Pick<FormState<V>, 'form' | 'fillIn'>,
  saved: V,
): void {
  const previous = useRef(saved);
  const applySavedValues = useEffectEvent(() => {
    const before = previous.current;
    const values = form.getValues();
    const names = (Object.keys(saved) as (keyof V & string)[]).filter(
      (name) => isEqual(values[name], before[name]) && !isEqual(saved[name], before[name]),
    );
    previous.current = saved;
    fillIn(Object.fromEntries(names.map((name) => [name, saved[name]])) as Partial<V>);
  });
  useEffect(() => {
    if (!isEqual(saved, previous.current)) applySavedValues();
  });
}
