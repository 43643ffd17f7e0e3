import { schemaResolver, useForm } from '@mantine/form';
import type * as z from 'zod/mini';
import { ApiError } from './http.ts';
import { useUnsaved } from './unsaved.ts';

/**
 * For fields that hang together, or that something on the screen follows: unlike other forms this one renders at each
 * change. The order of the initial values is the order on the screen; each field carries its name as `data-path`.
 */
export function useLiveForm<V extends object>(schema: z.ZodMiniType, initial: V) {
  const form = useForm<V>({
    mode: 'controlled',
    initialValues: initial,
    validate: schemaResolver(schema as never, { sync: true }),
  });

  useUnsaved(form.isDirty());

  function change(fields: Partial<V>) {
    for (const [name, value] of Object.entries(fields)) form.setFieldValue(name, value as never);
  }

  function focus(name: keyof V & string) {
    form.getInputNode(name)?.focus();
  }

  function focusFirst(errors: Record<string, unknown>) {
    const names = Object.keys(initial) as (keyof V & string)[];
    const first = names.find((name) => errors[name]);
    if (first) focus(first);
  }

  return {
    values: form.values,
    errors: form.errors,
    change,
    focus,
    replace: (values: V) => {
      form.setValues(values);
      form.resetDirty(values);
      form.clearErrors();
    },
    /** Checks by the contract's schema, so form and server refuse with the same words. */
    onSubmit: (save: (values: V) => void) => form.onSubmit(save, focusFirst),
    /** Puts the server's refusal at the fields it names. */
    showRefusal: (error: unknown) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirst(error.fields);
    },
  };
}

export type LiveForm<V extends object> = ReturnType<typeof useLiveForm<V>>;
