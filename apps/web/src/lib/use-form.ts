import { schemaResolver, useForm as useMantineForm } from '@mantine/form';
import { useContext, useEffect, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { useCloseOnBack } from './close-on-back.ts';
import { readDraft, removeDraft, saveDraft } from './form-drafts.ts';
import { ApiError } from './http.ts';
import { confirmDiscard, LayerContext, useUnsavedChanges } from './unsaved-changes.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

interface FormOptions<V extends object> {
  /** The contract's schema, so that the form and the server show the same messages. */
  schema: z.ZodMiniType;
  /** In the order of the fields on the page: the first invalid one receives focus. */
  initialValues: V;
  /**
   * 'controlled' for fields that depend on each other or that the page reacts to: `values` is current, and the form
   * renders on every change. Fields that do not use `getInputProps` have their name as `data-path`.
   */
  mode?: 'controlled' | 'uncontrolled';
  /** False for passwords, codes and confirmations, which are not worth asking about. */
  confirmsDiscard?: boolean;
  /** Long texts that survive a reload. */
  draft?: { key: string; fields: readonly (keyof V & string)[] };
}

const isEqual = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Every form uses this hook. It validates with the contract's schema, shows the server's field errors, holds the
 * idempotency key, and asks before unsaved changes are lost.
 */
export function useForm<V extends object>({
  schema,
  initialValues,
  mode = 'uncontrolled',
  confirmsDiscard = true,
  draft,
}: FormOptions<V>) {
  const [startValues] = useState(() => ({
    ...initialValues,
    ...(draft && readDraft(draft.key, pick(initialValues, draft.fields))),
  }));
  const savedRef = useRef(initialValues);
  const [isDirty, setIsDirty] = useState(!isEqual(startValues, initialValues));
  const idempotency = useIdempotencyKey();
  const isMounted = useIsMounted();

  const form = useMantineForm<V>({
    mode,
    initialValues: startValues,
    validate: schemaResolver(schema as never, { sync: true }),
    onValuesChange: handleChange,
  });

  const forgetDraft = () => draft && removeDraft(draft.key);
  const pendingSaveRef = useRef(Promise.resolve());
  const endGuard = useUnsavedChanges(confirmsDiscard && isDirty, {
    onDiscard: forgetDraft,
    waitForSave: () => pendingSaveRef.current,
  });
  useAskOnBack(confirmsDiscard && isDirty);

  function handleChange(values: V) {
    const dirty = !isEqual(values, savedRef.current);
    setIsDirty(dirty);
    if (!draft) return;
    const texts = pick(values, draft.fields);
    if (isEqual(texts, pick(savedRef.current, draft.fields))) forgetDraft();
    else saveDraft(draft.key, texts);
  }

  function focus(name: keyof V & string) {
    form.getInputNode(name)?.focus();
  }

  function focusFirstInvalid(errors: Record<string, unknown>) {
    // The errors of a list are named after its items, such as 'terms.0.name'.
    const first = Object.keys(initialValues)
      .flatMap((name) =>
        Object.keys(errors).filter((path) => path === name || path.startsWith(`${name}.`)),
      )
      .find((path) => errors[path]);
    if (first) form.getInputNode(first)?.focus();
  }

  function showServerErrors(error: unknown) {
    if (!(error instanceof ApiError) || !error.fields) return;
    form.setErrors(error.fields);
    focusFirstInvalid(error.fields);
  }

  /** These values count as saved. The next save gets a new idempotency key. */
  function markSaved(values: V = form.getValues()) {
    savedRef.current = values;
    idempotency.reset();
    const dirty = !isEqual(form.getValues(), values);
    setIsDirty(dirty);
    if (dirty) return;
    endGuard();
    forgetDraft();
  }

  async function submit<T>(
    values: V,
    save: (values: V) => Promise<T>,
    onSaved: ((result: T, values: V) => void) | undefined,
    toSaved: (values: V) => V,
  ) {
    try {
      const result = await save(values);
      markSaved(toSaved(values));
      if (isMounted()) onSaved?.(result, values);
    } catch (error) {
      // A toast shows the other errors; see `lib/query-client.ts`.
      if (error instanceof ApiError) showServerErrors(error);
      else reportError(error);
    }
  }

  function change(fields: Partial<V>) {
    for (const [name, value] of Object.entries(fields)) form.setFieldValue(name, value as never);
  }

  return {
    form,
    values: form.values,
    errors: form.errors,
    change,
    /** For values that the form fills in itself: they do not count as changes made by the person. */
    fillIn: (fields: Partial<V>) => {
      const wasDirty = !isEqual(form.getValues(), savedRef.current);
      change(fields);
      if (!wasDirty) markSaved();
    },
    focus,
    /** Replaces all values. The new values count as saved. */
    replace: (values: V) => {
      form.setValues(values);
      form.clearErrors();
      markSaved();
    },
    /**
     * `onSaved` runs after the values count as saved, so it may close the form or navigate. `toSaved` is for a form that saves
     * only a part.
     */
    onSubmit: <T>(
      save: (values: V) => Promise<T>,
      onSaved?: (result: T, values: V) => void,
      toSaved: (values: V) => V = (values) => values,
    ) =>
      form.onSubmit((values) => {
        pendingSaveRef.current = submit(values, save, onSaved, toSaved);
      }, focusFirstInvalid),
    /** Validates without saving, for a form with another step. */
    validated: (next: (values: V) => void) => form.onSubmit(next, focusFirstInvalid),
    /** The same input keeps its key until it has been saved. */
    keyFor: idempotency.keyFor,
    markSaved,
    /** Stops asking before the page is left, for a redirect that is part of filling in the form. */
    stopGuarding: endGuard,
  };
}

export type FormState<V extends object> = ReturnType<typeof useForm<V>>;

function pick<V extends object>(values: V, names: readonly (keyof V)[]): Partial<V> {
  const entries = names.filter((name) => name in values).map((name) => [name, values[name]]);
  return Object.fromEntries(entries) as Partial<V>;
}

/** Asks when Back would leave the page. Only for a form on the page itself, because a modal asks before it closes. */
function useAskOnBack(isDirty: boolean) {
  const layer = useContext(LayerContext);
  useCloseOnBack(isDirty && layer === null, () => {
    void confirmDiscard(null).then((discarded) => discarded && window.history.back());
  });
}

function useIsMounted(): () => boolean {
  const ref = useRef(false);
  useEffect(() => {
    ref.current = true;
    return () => {
      ref.current = false;
    };
  }, []);
  return () => ref.current;
}
