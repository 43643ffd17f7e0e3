import { type ParseResult, parseSync, Visitor, type VisitorObject } from 'oxc-parser';
import type { Import, SyntaxUse } from './source-file-types.ts';

type RawImport = Omit<Import, 'target'>;

const QUERY_STARTERS = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'replaceInto',
]);

/** Elements that indicate a form. A multi-line text field counts as a form even without a form element. */
const FORM_ELEMENTS = new Set(['form', 'Form', 'DialogForm', 'Textarea', 'textarea']);

/** The schemas of an endpoint, as in `accounts.login.body`. */
const ENDPOINT_SCHEMAS = new Set(['params', 'query', 'body', 'reply']);

/** Finds a module's imports, in every syntax, and its uses of the syntax that the rules restrict. */
export function parseModule(
  path: string,
  source: string,
): { imports: RawImport[]; uses: SyntaxUse[] } {
  const parsed = parseSync(path, source);
  const lineAt = createLineFinder(source);
  const imports = findStaticImports(parsed, lineAt);
  const uses: SyntaxUse[] = [];

  function addImport(specifier: string, offset: number): void {
    imports.push({ specifier, line: lineAt(offset), reexport: false });
  }
  function addUse(kind: SyntaxUse['kind'], offset: number): void {
    uses.push({ kind, line: lineAt(offset) });
  }

  const visitor: VisitorObject = {
    ImportExpression(node) {
      if (node.source.type === 'Literal') addImport(String(node.source.value), node.start);
      // `import(`./x.ts`)`: a template without placeholders.
      if (node.source.type === 'TemplateLiteral') {
        const [only] = node.source.quasis;
        if (node.source.quasis.length === 1 && only) addImport(only.value.raw, node.start);
      }
    },
    TSImportType(node) {
      addImport(node.source.value, node.start);
    },
    ExportAllDeclaration(node) {
      addUse('star-export', node.start);
    },
    NewExpression(node) {
      if (isIdentifierNamed(node.callee, 'Date') && node.arguments.length === 0)
        addUse('clock', node.start);
    },
    CallExpression(node) {
      const { callee } = node;
      if (isIdentifierNamed(callee, 'Date')) addUse('clock', node.start);
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const method = callee.property.name;
      if (isIdentifierNamed(callee.object, 'Date') && method === 'now') addUse('clock', node.start);
      if (!callee.computed && QUERY_STARTERS.has(method)) addUse('sql', node.start);
    },
    MemberExpression(node) {
      const isEnv =
        (node.property.type === 'Identifier' && node.property.name === 'env') ||
        (node.property.type === 'Literal' && node.property.value === 'env');
      if (isEnv && isIdentifierNamed(node.object, 'process')) addUse('environment', node.start);
      const isEndpointSchema =
        node.object.type === 'MemberExpression' &&
        node.object.object.type === 'Identifier' &&
        node.property.type === 'Identifier' &&
        ENDPOINT_SCHEMAS.has(node.property.name);
      if (isEndpointSchema) addUse('endpoint-schema', node.start);
    },
    JSXOpeningElement(node) {
      if (node.name.type === 'JSXIdentifier' && FORM_ELEMENTS.has(node.name.name))
        addUse('form', node.start);
    },
    VariableDeclarator(node) {
      // const { env } = process
      if (
        node.id.type === 'ObjectPattern' &&
        node.init &&
        isIdentifierNamed(node.init, 'process')
      ) {
        addUse('environment', node.start);
      }
    },
  };
  new Visitor(visitor).visit(parsed.program);
  return { imports, uses };
}

function findStaticImports(parsed: ParseResult, lineAt: (offset: number) => number): RawImport[] {
  const imports = parsed.module.staticImports.map((each) => ({
    specifier: each.moduleRequest.value,
    line: lineAt(each.start),
    reexport: false,
  }));
  const reexports = parsed.module.staticExports.flatMap((each) => {
    const request = each.entries.find((entry) => entry.moduleRequest)?.moduleRequest;
    return request ? [{ specifier: request.value, line: lineAt(each.start), reexport: true }] : [];
  });
  return [...imports, ...reexports];
}

function isIdentifierNamed(node: { type: string; name?: unknown }, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function createLineFinder(source: string): (offset: number) => number {
  return (offset) => source.slice(0, offset).split('\n').length;
}
