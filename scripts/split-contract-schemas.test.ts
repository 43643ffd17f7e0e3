import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { splitContractSchemas } from '../apps/web/build/split-contract-schemas.ts';

type Transform = (this: { parse: typeof parseAst }, code: string, id: string) => { code: string };
type Endpoints = Record<string, Record<string, Endpoint>>;

function transform(file: string, query = ''): string {
  const { handler } = splitContractSchemas().transform as unknown as { handler: Transform };
  const code = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  return handler.call({ parse: parseAst }, code, file + query).code;
}

const importCode = (code: string): Promise<Endpoints> =>
  import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Endpoints>;

const modules = globSync('packages/contract/src/*.ts')
  .filter(
    (file) => !file.endsWith('.test.ts') && /= defineEndpoints\(/.test(readFileSync(file, 'utf8')),
  )
  .toSorted();

test('finds the modules of the contract', () => {
  expect(modules.length).toBeGreaterThan(20);
});

test.each(modules)(
  'the browser calls the same endpoints of %s without loading schemas',
  async (file) => {
    const values = transform(file, '?values');
    expect(values).not.toMatch(/^import |\bz\./m);
    const original = (await import(pathToFileURL(file).href)) as Endpoints;
    const split = await importCode(values);
    const groups = Object.entries(split).filter(([, group]) => hasEndpoints(group));
    expect(groups).not.toEqual([]);
    for (const [name, group] of groups) {
      const expected = Object.entries(original[name] ?? {}).map(([key, endpoint]) => [
        key,
        toBrowserParts(endpoint),
      ]);
      expect(Object.entries(group)).toEqual(expected);
    }
  },
);

test.each(modules)(
  'the schema module of %s imports the values instead of repeating them',
  (file) => {
    const schemas = transform(file);
    expect(schemas).toContain(`from './${basename(file)}?values'`);
    expect(schemas).not.toContain('= defineEndpoints(');
  },
);

const hasEndpoints = (group: unknown): boolean =>
  typeof group === 'object' && group !== null && !Array.isArray(group);

function toBrowserParts({ method, path, body, idempotent }: Endpoint & { idempotent?: true }) {
  return {
    method,
    path,
    ...(body && { body: true }),
    ...(idempotent !== undefined && { idempotent }),
  };
}
