import { isTest, type Problem, type SourceFile, type SyntaxUse } from './source-file-types.ts';

const WEB = 'apps/web/src/';
const FORM_HOOK = `${WEB}lib/use-form.ts`;
/** These components render the form element; the features contain the fields and call the hook. */
const FORM_COMPONENTS = `${WEB}components/`;

const MESSAGE =
  'A form has to use useForm of lib/use-form.ts, which warns before unsaved changes are lost: call it here or in a hook that this file imports';

const SCHEMA_MESSAGE =
  'The web build leaves out the schemas of endpoints (build/split-contract-schemas.ts): export the schema from its contract module and import it by name';

/** Reports forms without the form hook, and forms that take their schema from an endpoint. */
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
      ...toProblems(file, 'endpoint-schema', SCHEMA_MESSAGE),
      ...(file.path.startsWith(FORM_COMPONENTS) || usesHook(file)
        ? []
        : toProblems(file, 'form', MESSAGE)),
    ]);

  function usesHook(file: SourceFile): boolean {
    return (
      importsHook(file) ||
      file.imports.some(({ target }) => target !== undefined && importsHook(byPath.get(target)))
    );
  }
}

function toProblems(
  { path, uses }: SourceFile,
  kind: SyntaxUse['kind'],
  message: string,
): Problem[] {
  return uses.filter((use) => use.kind === kind).map(({ line }) => ({ path, line, message }));
}
