import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { readConfig } from '@lessonbook/server/src/config.ts';
import { commands, Environment, settingDocs } from '@lessonbook/server/src/env-schema.ts';
import { startPostgres } from '@lessonbook/test-env/postgres';
import { startProcess } from '@lessonbook/test-env/processes';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { parseVariable, readCompose, resolveEnvironment, type Service } from './image/compose.ts';
import { environmentOf, parseDockerfile } from './image/dockerfile.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { services, networks, volumes } = readCompose(join(root, 'compose.yaml'));
const all = Object.entries(services);
const service = (name: string): Service => services[name] as Service;
const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'));
const settings: Record<string, z.ZodMiniType> = { ...Environment.shape, ...commands.settings };

const freshEnv = (): Record<string, string> => {
  const { stdout } = spawnSync(process.execPath, ['scripts/secrets.ts', '--print'], {
    cwd: root,
    encoding: 'utf8',
  });
  return parseEnv(stdout) as Record<string, string>;
};
const filledIn = {
  APP_URL: 'https://book.example',
  SMTP_URL: 'smtps://user:password@mail.example',
  MAIL_FROM: 'Lessonbook <book@book.example>',
};

describe('every container', () => {
  test.each(all)('%s has no rights, and nowhere to write but its volumes', (_, one) => {
    expect(one.read_only).toBe(true);
    expect(one.cap_drop).toEqual(['ALL']);
    expect(one.security_opt).toEqual(['no-new-privileges:true']);
    expect(one.privileged).toBeUndefined();
    expect(['CHOWN', 'NET_BIND_SERVICE']).toEqual(expect.arrayContaining(one.cap_add ?? []));
  });

  test.each(all)('%s comes from an exact version, and starts again or ends for good', (_, one) => {
    expect(one.image).toMatch(/^(lessonbook:\$\{LESSONBOOK_VERSION:-)?[\w:]*\d+\.\d+(\.\d+)?/);
    expect(['no', 'unless-stopped']).toContain(one.restart);
  });

  test.each(all)('%s waits for, joins and mounts what there is', (_, one) => {
    const mounts = (one.volumes ?? []).map((mount) => mount.split(':'));
    const ours = mounts.filter(([source]) => source?.startsWith('./'));
    const kept = mounts.filter(([source]) => !source?.startsWith('./'));
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(Object.keys(one.depends_on ?? {})),
    );
    expect(Object.keys(networks)).toEqual(expect.arrayContaining(one.networks ?? []));
    expect(one.networks?.length ?? one.network_mode).toBeTruthy();
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(kept.map(([source]) => source)));
    for (const mount of ours) expect(mount.at(-1)).toBe('ro');
  });

  test('is closed to the outside, but for the proxy; the API answers this machine alone', () => {
    const open = all.filter(([, one]) => one.ports).map(([name]) => name);
    expect(open).toEqual(['api', 'proxy']);
    for (const port of service('api').ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(service('db').networks).toEqual(['back']);
    expect(networks['back']?.internal).toBe(true);
  });
});

const isSecret = (name: string): boolean => {
  const schema = settings[name];
  return (
    name === 'POSTGRES_PASSWORD' ||
    (schema !== undefined && settingDocs.get(schema)?.secret === true)
  );
};
const isNeeded = (name: string): boolean => settings[name]?.safeParse(undefined).success === false;

describe('settings', () => {
  test('what is passed exists; what is not passed is baked into the image or for rehearsals', () => {
    const ours = all.filter(([, one]) => one.build !== undefined);
    const passed = ours.flatMap(([, one]) => Object.keys(one.environment ?? {}));
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(passed));
    const dockerfile = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
    const baked = Object.keys(environmentOf(dockerfile.at(-1) as (typeof dockerfile)[number]));
    // Addresses of vendors change for rehearsals alone; WhatsApp's carries a version.
    const left = Object.keys(Environment.shape).filter(
      (name) =>
        !(name in (service('api').environment ?? {})) &&
        !baked.includes(name) &&
        !/^(STRIPE|GOOGLE)_.*(URL|ISSUER)$/.test(name),
    );
    expect(left).toEqual(['RATE_LIMIT_FACTOR', 'CLOCK_START']);
    expect(service('worker').environment).toEqual(service('api').environment);
  });

  test('what is required stops compose, and no secret has a value', () => {
    const passed = all.flatMap(([, one]) => Object.entries(one.environment ?? {}));
    const variables = passed.map(([name, value]) => ({ passedAs: name, ...parseVariable(value) }));
    expect(variables.filter(({ name, passedAs }) => name !== passedAs)).toEqual([]);
    const secret = variables.filter(({ passedAs }) => isSecret(passedAs));
    expect(secret.length).toBeGreaterThan(10);
    expect(secret.filter(({ fallback }) => fallback !== '')).toEqual([]);
    const needed = variables.filter(({ passedAs }) => isNeeded(passedAs));
    expect(needed.filter(({ required }) => !required)).toEqual([]);
    expect(Object.values(example).join('')).toBe('');
  });

  test('only the one-offs hold what opens more than the application may', () => {
    const holders = (name: string) =>
      all.filter(([, one]) => name in (one.environment ?? {})).map(([holder]) => holder);
    expect(holders('DATABASE_ADMIN_URL')).toEqual(['roles']);
    expect(holders('POSTGRES_PASSWORD')).toEqual(['db']);
    expect(holders('DATABASE_OWNER_URL')).toEqual(['roles', 'migrate']);
    expect(holders('DATABASE_MAINTENANCE_URL')).toEqual(['roles']);
  });

  test('the example names every variable that compose insists on', () => {
    const wanted = all.flatMap(([, one]) =>
      Object.values(one.environment ?? {}).flatMap((value) => {
        const variable = parseVariable(value);
        return variable?.required ? [variable.name] : [];
      }),
    );
    expect(Object.keys(example)).toEqual(expect.arrayContaining([...new Set(wanted)]));
  });
});

describe('npm run secrets', () => {
  test('writes what API and worker accept, other secrets each time', () => {
    const [one, two] = [freshEnv(), freshEnv()];
    expect(Object.keys(one)).toEqual(Object.keys(example));
    const config = readConfig(resolveEnvironment(service('api'), { ...one, ...filledIn }));
    expect(config.sealingKeys).toHaveLength(1);
    expect(config.trustedProxies).toEqual(['172.30.250.0/24']);
    expect(() => resolveEnvironment(service('api'), one)).toThrow('APP_URL is missing');
    const alike = Object.keys(one).filter((name) => one[name] === two[name]);
    expect(alike.toSorted()).toEqual(Object.keys(filledIn).toSorted());
  });

  test('the roles get the passwords that were written, however often they are made', async () => {
    // Roles belong to the whole server: one that others use as well must keep its passwords.
    delete process.env['DATABASE_ADMIN_URL'];
    const postgres = await startPostgres();
    try {
      const { host } = new URL(postgres.adminUrl);
      const here = (url: string) => url.replace('db:5432', host);
      const fresh = freshEnv();
      const given = resolveEnvironment(service('roles'), fresh);
      const env = {
        ...Object.fromEntries(Object.entries(given).map(([name, url]) => [name, here(url)])),
        DATABASE_ADMIN_URL: postgres.adminUrl,
      };
      const file = join(root, service('roles').command?.at(-1) ?? '');
      for (let time = 1; time <= 2; time++) {
        const run = startProcess('roles', file, env);
        expect(await run.exited, run.output()).toEqual({ code: 0, signal: null });
        expect(run.output()).not.toContain('postgres://');
      }
      for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_MAINTENANCE_URL']) {
        const client = new pg.Client(here(fresh[name] ?? ''));
        await client.connect();
        await client.end();
      }
      const wrong = { ...env, DATABASE_URL: here(fresh['DATABASE_OWNER_URL'] ?? '') };
      const refused = startProcess('roles', file, wrong);
      expect((await refused.exited).code).toBe(1);
      expect(refused.output()).toContain('must be that of lessonbook_app');
    } finally {
      await postgres.stop();
    }
  });
});
