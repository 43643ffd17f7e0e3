import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
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
import {
  parseVariable,
  readCompose,
  resolveEnvironment,
  type Service,
} from './image/parse-compose-file.ts';
import { parseDockerfile, readEnvironment, readExecForm } from './image/parse-dockerfile.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { services, networks, volumes } = readCompose(join(root, 'compose.yaml'));
const serviceEntries = Object.entries(services);
const service = (name: string): Service => services[name] as Service;
const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'));
const settings: Record<string, z.ZodMiniType> = { ...Environment.shape, ...commands.settings };

const generateEnv = (): Record<string, string> => {
  const { stdout } = spawnSync(process.execPath, ['scripts/generate-secrets.ts', '--print'], {
    cwd: root,
    encoding: 'utf8',
  });
  return parseEnv(stdout) as Record<string, string>;
};
const operatorSettings = {
  APP_URL: 'https://book.example',
  SMTP_URL: 'smtps://user:password@mail.example',
  MAIL_FROM: 'Lessonbook <book@book.example>',
};

describe('every container', () => {
  test.each(serviceEntries)(
    '%s has no capabilities and a read-only root file system',
    (_, definition) => {
      expect(definition.read_only).toBe(true);
      expect(definition.cap_drop).toEqual(['ALL']);
      expect(definition.security_opt).toEqual(['no-new-privileges:true']);
      expect(definition.privileged).toBeUndefined();
      expect(['CHOWN', 'NET_BIND_SERVICE']).toEqual(
        expect.arrayContaining(definition.cap_add ?? []),
      );
    },
  );

  test.each(serviceEntries)('%s has limits on temporary files and processes', (_, definition) => {
    const mounts = definition.tmpfs ?? [];
    expect(mounts.map((mount) => mount.split(':')[0])).toContain('/tmp');
    for (const mount of mounts)
      expect(mount).toMatch(/^\/[\w/]+:mode=1777,size=\d+m,noexec,nosuid,nodev$/);
    expect(definition.pids_limit).toBe(256);
    expect(definition.mem_limit).toBe(definition.build ? '1536m' : undefined);
  });

  test('services that use our image repeat its health check, which the OCI format drops', () => {
    const stage = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8')).at(-1);
    const { text } = stage?.steps.find(({ keyword }) => keyword === 'HEALTHCHECK') ?? { text: '' };
    const options = Object.fromEntries(
      [...text.matchAll(/--([\w-]+)=(\w+)/g)].map(([, name, value]) => [
        name?.replace('-', '_'),
        value?.endsWith('s') ? value : Number(value),
      ]),
    );
    const command = ['CMD', ...readExecForm(stage as NonNullable<typeof stage>, 'HEALTHCHECK')];
    for (const name of ['api', 'worker'])
      expect(service(name).healthcheck).toEqual({ test: command, ...options });
    for (const name of ['roles', 'migrate'])
      expect(service(name).healthcheck).toEqual({ disable: true });
  });

  test.each(serviceEntries)(
    'F39 %s has an exact image version, which the operator can replace with a digest, and a restart policy',
    (_, definition) => {
      const image = definition.build ? definition.build.args['NODE_IMAGE'] : definition.image;
      expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[a-z]+:\d+\.\d+(\.\d+)?(-[\w-]+)?\}$/);
      expect(['no', 'unless-stopped']).toContain(definition.restart);
    },
  );

  test.each(serviceEntries)(
    '%s refers only to services, networks and volumes that exist',
    (_, definition) => {
      const mounts = (definition.volumes ?? []).map((mount) => mount.split(':'));
      const bindMounts = mounts.filter(([source]) => source?.startsWith('./'));
      const namedVolumes = mounts.filter(([source]) => !source?.startsWith('./'));
      expect(Object.keys(services)).toEqual(
        expect.arrayContaining(Object.keys(definition.depends_on ?? {})),
      );
      expect(Object.keys(networks)).toEqual(expect.arrayContaining(definition.networks ?? []));
      expect(definition.networks?.length ?? definition.network_mode).toBeTruthy();
      expect(Object.keys(volumes)).toEqual(
        expect.arrayContaining(namedVolumes.map(([source]) => source)),
      );
      for (const mount of bindMounts) expect(mount.at(-1)).toBe('ro');
    },
  );

  test('only the proxy publishes ports, apart from the API on localhost', () => {
    const publishingServices = serviceEntries
      .filter(([, definition]) => definition.ports)
      .map(([name]) => name);
    expect(publishingServices).toEqual(['api', 'proxy']);
    for (const port of service('api').ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(service('db').networks).toEqual(['back']);
    expect(networks['back']?.internal).toBe(true);
  });
});

test("F39 the proxy sees IPv6 visitors' own addresses, and the API trusts only the proxy", () => {
  const { enable_ipv6: isIpv6Enabled, ipam } = networks['front'] ?? {};
  const subnets = ipam?.config.map(({ subnet }) => subnet) ?? [];
  expect(isIpv6Enabled).toBe(true);
  expect(subnets.map((subnet) => isIPv6(subnet.replace(/\/\d+$/, '')))).toEqual([false, true]);
  const { TRUSTED_PROXIES } = service('api').environment ?? {};
  expect(parseVariable(TRUSTED_PROXIES ?? '')?.fallback.split(',')).toEqual(subnets);
  expect(service('proxy').networks).toEqual(['front']);
});

describe('F39 the files with secrets in the systemd guide', () => {
  const guide = readFileSync(join(root, 'docs/operating/install.md'), 'utf8');
  const files = [...new Set(guide.match(/\/etc\/lessonbook[\w.]*\.env/g))];

  test.each(files)('%s is created with mode 600 before anything is written to it', (file) => {
    const created = guide.indexOf(`sudo install --mode=600 /dev/null ${file}`);
    expect(created).toBeGreaterThan(-1);
    expect(guide.slice(0, created)).not.toContain(file);
  });
});

const isSecret = (name: string): boolean => {
  const schema = settings[name];
  return (
    name === 'POSTGRES_PASSWORD' ||
    (schema !== undefined && settingDocs.get(schema)?.secret === true)
  );
};
const isRequired = (name: string): boolean =>
  settings[name]?.safeParse(undefined).success === false;

describe('settings', () => {
  test('compose passes every setting except those set by the image and those used only in tests', () => {
    const builtServices = serviceEntries.filter(([, definition]) => definition.build !== undefined);
    const passed = builtServices.flatMap(([, definition]) =>
      Object.keys(definition.environment ?? {}),
    );
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(passed));
    const dockerfile = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
    const setByImage = Object.keys(
      readEnvironment(dockerfile.at(-1) as (typeof dockerfile)[number]),
    );
    // Vendor URLs change only in tests; the WhatsApp URL is passed because it contains an API version.
    const notPassed = Object.keys(Environment.shape).filter(
      (name) =>
        !(name in (service('api').environment ?? {})) &&
        !setByImage.includes(name) &&
        !/^(STRIPE|GOOGLE)_.*(URL|ISSUER)$/.test(name),
    );
    expect(notPassed).toEqual(['RATE_LIMIT_FACTOR', 'CLOCK_START']);
    expect(service('worker').environment).toEqual(service('api').environment);
  });

  test('required settings and secrets have no default', () => {
    const passed = serviceEntries.flatMap(([, definition]) =>
      Object.entries(definition.environment ?? {}),
    );
    const variables = passed.map(([name, value]) => ({ passedAs: name, ...parseVariable(value) }));
    expect(variables.filter(({ name, passedAs }) => name !== passedAs)).toEqual([]);
    const secretVariables = variables.filter(({ passedAs }) => isSecret(passedAs));
    expect(secretVariables.length).toBeGreaterThan(10);
    expect(secretVariables.filter(({ fallback }) => fallback !== '')).toEqual([]);
    const requiredVariables = variables.filter(({ passedAs }) => isRequired(passedAs));
    expect(requiredVariables.filter(({ required }) => !required)).toEqual([]);
    expect(Object.values(example).join('')).toBe('');
  });

  test('only the one-off services get privileged database URLs', () => {
    const servicesWith = (name: string) =>
      serviceEntries
        .filter(([, definition]) => name in (definition.environment ?? {}))
        .map(([serviceName]) => serviceName);
    expect(servicesWith('DATABASE_ADMIN_URL')).toEqual(['roles']);
    expect(servicesWith('POSTGRES_PASSWORD')).toEqual(['db']);
    expect(servicesWith('DATABASE_OWNER_URL')).toEqual(['roles', 'migrate']);
    expect(servicesWith('DATABASE_MAINTENANCE_URL')).toEqual(['roles']);
  });

  test('the example file lists every variable that compose requires', () => {
    const required = serviceEntries.flatMap(([, definition]) =>
      Object.values(definition.environment ?? {}).flatMap((value) => {
        const variable = parseVariable(value);
        return variable?.required ? [variable.name] : [];
      }),
    );
    expect(Object.keys(example)).toEqual(expect.arrayContaining([...new Set(required)]));
  });
});

describe('npm run secrets', () => {
  test('generates settings that the API and the worker accept, with new secrets each time', () => {
    const [first, second] = [generateEnv(), generateEnv()];
    expect(Object.keys(first)).toEqual(Object.keys(example));
    const config = readConfig(
      resolveEnvironment(service('api'), { ...first, ...operatorSettings }),
    );
    expect(config.encryptionKeys).toHaveLength(1);
    expect(config.trustedProxies).toEqual(['172.30.250.0/24', 'fd00:172:30:250::/64']);
    expect(() => resolveEnvironment(service('api'), first)).toThrow('APP_URL is missing');
    const unchanged = Object.keys(first).filter((name) => first[name] === second[name]);
    expect(unchanged.toSorted()).toEqual(Object.keys(operatorSettings).toSorted());
  });

  test('the roles get the generated passwords, even when the script runs a second time', async () => {
    // Roles are global to a PostgreSQL server, so this test must not change the passwords on a shared one.
    delete process.env['DATABASE_ADMIN_URL'];
    const postgres = await startPostgres();
    try {
      const { host } = new URL(postgres.adminUrl);
      const toLocal = (url: string) => url.replace('db:5432', host);
      const generated = generateEnv();
      const rolesEnvironment = resolveEnvironment(service('roles'), generated);
      const env = {
        ...Object.fromEntries(
          Object.entries(rolesEnvironment).map(([name, url]) => [name, toLocal(url)]),
        ),
        DATABASE_ADMIN_URL: postgres.adminUrl,
      };
      const file = join(root, service('roles').command?.at(-1) ?? '');
      for (let time = 1; time <= 2; time++) {
        const run = startProcess('roles', file, env);
        expect(await run.exited, run.output()).toEqual({ code: 0, signal: null });
        expect(run.output()).not.toContain('postgres://');
      }
      for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_MAINTENANCE_URL']) {
        const client = new pg.Client(toLocal(generated[name] ?? ''));
        await client.connect();
        await client.end();
      }
      const wrongEnv = { ...env, DATABASE_URL: toLocal(generated['DATABASE_OWNER_URL'] ?? '') };
      const refused = startProcess('roles', file, wrongEnv);
      expect((await refused.exited).code).toBe(1);
      expect(refused.output()).toContain('must have the user lessonbook_app');
    } finally {
      await postgres.stop();
    }
  });
});
