import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { ApiError } from './http.ts';
import { useUnsavedChanges } from './use-unsaved-changes.ts';

/**
 * For fields that depend on each other or that the page reacts to. Unlike other forms, this one renders on every
 * change. The initial values are in the order of the fields on the page; each field has its name as `data-path`.
 */
export function useControlledForm<V extends object>(schema: z.ZodMiniType, initial: V) {
  const form = useForm<V>({
    mode: 'controlled',
    initialValues: initial,
    validate: schemaResolver(schema as never, { sync: true }),
  });

  useUnsavedChanges(form.isDirty());

  function change(fields: Partial<V>) {
    for (const [name, value] of Object.entries(fields)) form.setFieldValue(name, value as never);
  }

  function focus(name: keyof V & string) {
    form.getInputNode(name)?.focus();
  }

  function focusFirstInvalid(errors: Record<string, unknown>) {
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
    /** Validates with the contract's schema, so that the form and the server show the same messages. */
    onSubmit: (save: (values: V) => void) => form.onSubmit(save, focusFirstInvalid),
    /** Shows the server's errors next to their fields. */
    showServerErrors: (error: unknown) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirstInvalid(error.fields);
    },
  };
}

export type ControlledForm<V extends object> = ReturnType<typeof useControlledForm<V>>;

type TextValues = Record<string, string>;

interface SchemaForm<V extends TextValues> {
  form: UseFormReturnType<V>;
  /** Validates with the contract's schema, so that the form and the server show the same messages. */
  onSubmit: (save: (values: V) => void) => React.FormEventHandler<HTMLFormElement>;
  /** Shows the server's errors next to their fields. */
  showServerErrors: (error: Error) => void;
  /** For a form that stays open after saving: its current values count as saved. */
  markSaved: () => void;
}

export function useSchemaForm<V extends TextValues>(
  schema: z.ZodMiniType,
  initialValues: V,
  /** Whether leaving the page would lose work; not set on pages for signed-out users. */
  { warnOnLeave = false }: { warnOnLeave?: boolean } = {},
): SchemaForm<V> {
  const [saved, setSaved] = useState(initialValues);
  const [dirty, setDirty] = useState(false);
  useUnsavedChanges(warnOnLeave && dirty);
  const form = useForm<V>({
    mode: 'uncontrolled',
    initialValues,
    validate: schemaResolver(schema as never, { sync: true }),
    onValuesChange: (values) =>
      setDirty(Object.keys(saved).some((name) => values[name] !== saved[name])),
  });

  /* The initial values are in the order of the fields on the page. */
  function focusFirstInvalid(errors: Record<string, unknown>) {
    const first = Object.keys(initialValues).find((name) => errors[name]);
    if (first) form.getInputNode(first)?.focus();
  }

  return {
    form,
    onSubmit: (save) => form.onSubmit(save, focusFirstInvalid),
    showServerErrors: (error) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirstInvalid(error.fields);
    },
    markSaved: () => {
      setSaved(form.getValues());
      setDirty(false);
    },
  };
}
