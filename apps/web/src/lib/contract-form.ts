import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { ApiError } from './http.ts';
import { useUnsaved } from './unsaved.ts';

type Values = Record<string, string>;

interface ContractForm<V extends Values> {
  form: UseFormReturnType<V>;
  /** Checks by the contract's schema, so form and server refuse with the same words. */
  onSubmit: (save: (values: V) => void) => React.FormEventHandler<HTMLFormElement>;
  /** Puts the server's refusal at the fields it names. */
  showRefusal: (error: Error) => void;
  /** For a form that stays where it is: from here on its words are in the book. */
  markSaved: () => void;
}

export function useContractForm<V extends Values>(
  schema: z.ZodMiniType,
  initialValues: V,
  /** Whether leaving the page would lose something: not where nobody is signed in yet. */
  { isWork = false }: { isWork?: boolean } = {},
): ContractForm<V> {
  const [saved, setSaved] = useState(initialValues);
  const [dirty, setDirty] = useState(false);
  useUnsaved(isWork && dirty);
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues,
    validate: schemaResolver(schema as never, { sync: true }),
    onValuesChange: (values) =>
      setDirty(Object.keys(saved).some((name) => values[name] !== saved[name])),
  });

  /* The order of the initial values is the order on the screen. */
  function focusFirst(errors: Record<string, unknown>) {
    const first = Object.keys(initialValues).find((name) => errors[name]);
    if (first) form.getInputNode(first)?.focus();
  }

  return {
    form,
    onSubmit: (save) => form.onSubmit(save, focusFirst),
    showRefusal: (error) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirst(error.fields);
    },
    markSaved: () => {
      setSaved(form.getValues());
      setDirty(false);
    },
  };
}
