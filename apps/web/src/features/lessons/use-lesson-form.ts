import { schemaResolver, useForm } from '@mantine/form';
import { ApiError } from '../../lib/http.ts';
import { type LessonForm, LessonFormCheck } from './lesson-form.ts';

/** The dialog's fields hang together (a start moves its end), so unlike other forms this one renders at each change. */
export function useLessonForm(initial: LessonForm) {
  const form = useForm<LessonForm>({
    mode: 'controlled',
    initialValues: initial,
    validate: schemaResolver(LessonFormCheck as never, { sync: true }),
  });

  function change(fields: Partial<LessonForm>) {
    for (const [name, value] of Object.entries(fields)) form.setFieldValue(name, value);
  }

  function focus(name: keyof LessonForm) {
    form.getInputNode(name)?.focus();
  }

  function focusFirst(errors: Record<string, unknown>) {
    const names = Object.keys(initial) as (keyof LessonForm)[];
    const first = names.find((name) => errors[name]);
    if (first) focus(first);
  }

  return {
    values: form.values,
    errors: form.errors,
    change,
    focus,
    replace: (values: LessonForm) => {
      form.setValues(values);
      form.clearErrors();
    },
    onSubmit: (save: (values: LessonForm) => void) => form.onSubmit(save, focusFirst),
    /** Puts the server's refusal at the fields it names. */
    showRefusal: (error: unknown) => {
      if (!(error instanceof ApiError) || !error.fields) return;
      form.setErrors(error.fields);
      focusFirst(error.fields);
    },
  };
}

export type LessonFormState = ReturnType<typeof useLessonForm>;
