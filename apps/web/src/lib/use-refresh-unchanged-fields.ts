import { useEffect, useEffectEvent, useRef } from 'react';
import type { FormState } from './use-form.ts';

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Updates the fields that the user has not changed when the saved data changes, so that a form opened just before a refetch
 * does not overwrite newer data. Not part of `useForm`, because the public pages do not need it.
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
