import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import type * as z from 'zod/mini';
import { ApiError } from './http.ts';

type Values = Record<string, string>;

interface ContractForm<V extends Values> {
  form: UseFormReturnType<V>;
  /** Checks by the contract's schema, so form and server refuse with the same words. */
  onSubmit: (save: (values: V) => void) => React.FormEventHandler<HTMLFormElement>;
  /** Puts the server's refusal at the fields it names. */
  showRefusal: (error: Error) => void;
}

export function useContractForm<V extends Values>(
  schema: z.ZodMiniType,
  initialValues: V,
): ContractForm<V> {
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues,
    validate: schemaResolver(schema as never, { sync: true }),
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
  };
}
