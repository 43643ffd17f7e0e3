import { isTest, type Problem, type SourceFile } from './source-file.ts';

const WEB = 'apps/web/src/';
const FORM_HOOK = `${WEB}lib/use-form.ts`;
/** These components are the form element itself; the fields and the hook are in the features. */
const FORM_COMPONENTS = `${WEB}components/`;

const MESSAGE =
  'A form has to use useForm of lib/use-form.ts, which asks before unsaved changes are lost: call it here or in a hook that this file imports';

/** Reports forms without the form hook. */
export function checkWebForms(files: readonly SourceFile[]): Problem[] {
  const importsHook = (file: SourceFile | undefined) =>
    file?.imports.some(({ target }) => target === FORM_HOOK) ?? false;
  const byPath = new Map(files.map((file) => [file.path, file]));

  return files
    .filter(({ path }) => path.startsWith(WEB) && path !== FORM_HOOK && !isTest(path))
    .flatMap((file) => [
      ...file.imports
        .filter(({ specifier }) => specifier === '@mantine/form')
        .map(({ line }) => ({ path: file.path, line, message: MESSAGE })),
      ...(file.path.startsWith(FORM_COMPONENTS) || usesHook(file) ? [] : formProblems(file)),
    ]);

  function usesHook(file: SourceFile): boolean {
    return (
      importsHook(file) ||
      file.imports.some(({ target }) => target !== undefined && importsHook(byPath.get(target)))
    );
  }
}

function formProblems({ path, uses }: SourceFile): Problem[] {
  return uses
    .filter(({ kind }) => kind === 'form')
    .map(({ line }) => ({ path, line, message: MESSAGE }));
}
